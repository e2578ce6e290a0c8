package sample

import (
	"math/rand/v2"
	"strings"
	"unicode"
	"unicode/utf8"
)

const english = `the a to of and in is it that for on with as this be are was can you we will file files data table
column columns rows value values result results output script python package module function code command path folder
number average total sum count first second last next new more than each all some any now then there here your our
their so let me check run install read write open save create update remove list show print compute plot find sort
filter group error warning missing empty correct expected looks seems done finished ready because which where while
after before again instead without between about into from by at one two three several month year sales report summary
chart image page server request response version directory downloads desktop analysis step steps following`

const russian = `файл данные таблица строка столбец значение результат ошибка код запуск отчёт сумма среднее
список папка график теперь сначала затем можно нужно готово проверю установлю прочитаю запишу`

const accented = `fichier données résultat élément année déjà après créer vérifier größe datei übersicht prüfung schön
straße número código función línea página información también después`

const han = `文件 数据 表格 结果 我们 现在 运行 代码 错误 检查 安装 读取 写入 图表 平均 总和 数量 目录 下面 首先 然后 完成 需要 可以 这个
函数 变量 列表 日期 销售 报告 分析 步骤 为空 正确 问题`

const kana = `データ ファイル 結果 実行 確認 です します から これ コード エラー 平均 グラフ`

// Script is the writing system of the prose in a stream.
type Script uint8

// Scripts.
const (
	Mixed Script = iota // mostly English, some turns in other scripts
	Han                 // Chinese only
)

// tongue is the words and the separators of a language.
type tongue struct {
	words     []string
	gap, stop string
}

// tongues returns the languages of a script, weighted by frequency.
func tongues(s Script) []tongue {
	chinese := tongue{strings.Fields(han), "", "。"}
	if s == Han {
		return []tongue{chinese}
	}
	all := []tongue{
		{strings.Fields(russian), " ", "."},
		{strings.Fields(accented), " ", "."},
		chinese,
		{strings.Fields(kana), "", "。"},
	}
	latin := tongue{strings.Fields(english), " ", "."}
	for range 46 { // the others share 8 %
		all = append(all, latin)
	}
	return all
}

func pick[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }

// between is a number from low to high, both included.
func between(rng *rand.Rand, low, high int) int { return low + rng.IntN(high-low+1) }

// paragraph writes a number of sentences.
func (t tongue) paragraph(rng *rand.Rand, sentences int) string {
	var b strings.Builder
	for i := range sentences {
		if i > 0 {
			b.WriteString(pick(rng, []string{t.gap, t.gap, t.gap, t.gap, "\n\n", "\n- "}))
		}
		t.sentence(&b, rng)
	}
	return b.String()
}

func (t tongue) sentence(b *strings.Builder, rng *rand.Rand) {
	for i := range between(rng, 5, 16) {
		word := pick(rng, t.words)
		if i == 0 {
			b.WriteString(capital(word))
			continue
		}
		b.WriteString(t.gap)
		b.WriteString(dressed(rng, word))
	}
	b.WriteString(pick(rng, []string{t.stop, t.stop, t.stop, t.stop, t.stop, ":", "!", " ✅" + t.stop, " 🎉"}))
}

func capital(word string) string {
	first, size := utf8.DecodeRuneInString(word)
	return string(unicode.ToUpper(first)) + word[size:]
}

// dressed adds occasional punctuation and Markdown to a word.
func dressed(rng *rand.Rand, word string) string {
	switch rng.IntN(60) {
	case 0:
		return `"` + word + `"`
	case 1:
		return "`" + word + "`"
	case 2:
		return "**" + word + "**"
	case 3, 4, 5:
		return word + ","
	}
	return word
}

// tokens splits a text like a streaming model: words with the whitespace before
// them, long words in two, punctuation separately.
func tokens(s string) []string {
	list := make([]string, 0, len(s)/4+1)
	for len(s) > 0 {
		n := tokenLen(s)
		list = append(list, s[:n])
		s = s[n:]
	}
	return list
}

// tokenLen is the length of the first token in bytes, at least one character's.
func tokenLen(s string) int {
	n, letters := 0, 0
	for n < len(s) {
		c, size := utf8.DecodeRuneInString(s[n:])
		switch {
		case unicode.IsSpace(c) && letters == 0:
		case isWord(c) && letters < longest(c):
			letters++
		case letters == 0:
			return n + size
		default:
			return n
		}
		n += size
	}
	return n
}

func isWord(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }

// longest is the maximum number of characters in a token.
func longest(c rune) int {
	switch {
	case c < 0x80:
		return 11
	case c < 0x3000:
		return 5
	}
	return 2
}
