package mutation

import (
	"encoding/base64"
	"slices"
	"strings"
)

// content are mistakes in what a record holds: images, reviews.
func content() []Kind {
	kinds := []Kind{
		in("image in two chunks", of(1, "image"), func(r *Recording, b *block, _ dice) *edit {
			return at(r.twice(b.contents[0]), b.contents[0]+1)
		}, "LMC404"),
		in("image of another format", of(1, "image"), func(r *Recording, b *block, _ dice) *edit {
			other := map[string]string{"base64.png": "base64.jpeg", "base64.jpeg": "base64.png"}[b.format]
			if other == "" {
				return nil
			}
			e := r.everywhere(b, "format", other)
			e.at = b.contents[:1]
			return e
		}, "LMC402"),
		in("review with the rest of a tag", of(1, "review"), func(r *Recording, b *block, d dice) *edit {
			i := b.last()
			o := r.records[i].with("content", r.records[i].text("content")+pick(d, "</", "</warn", "</warning"))
			return at(r.set(i, o), span(b.start, b.end+1)...)
		}, "LMC408"),
		in("review with the end of a tag", of(1, "review"), func(r *Recording, b *block, _ dice) *edit {
			i := b.contents[0]
			o := r.records[i].with("content", ">"+r.records[i].text("content"))
			return at(r.set(i, o), span(b.start, b.end+1)...)
		}, "LMC408"),
	}
	for _, p := range pictures() {
		kinds = append(kinds,
			inPart("image "+p.name, "content", of(1, "image"), func(o object, _ string, d dice) object {
				return o.with("content", p.change(o.text("content"), d))
			}, p.want),
			inMessage("image "+p.name, isPicture, func(o object, d dice) object {
				return o.with("content", p.change(o.text("content"), d))
			}, p.want))
	}
	return kinds
}

type picture struct {
	name, want string
	change     func(text string, d dice) string
}

func pictures() []picture {
	return []picture{
		{"with a wrong character", "LMC401", func(s string, d dice) string {
			i := 40 + d.IntN(len(s)-60)
			return s[:i] + pick(d, "!", "*", ".", " ", "é", "-", "_") + s[i+1:]
		}},
		{"cut", "LMC401", func(s string, d dice) string {
			s = strings.TrimSpace(s)
			return s[:len(s)/4*4-pick(d, 3, 5, 6)]
		}},
		{"as data URL", "LMC401", func(s string, _ dice) string { return "data:image/png;base64," + s }},
		{"joined to another", "LMC403", func(s string, _ dice) string { return strings.TrimSpace(s) + s }},
		{"with text behind", "LMC403", func(s string, _ dice) string { return s + "after\n" }},
		{"with bytes behind", "LMC403", func(s string, _ dice) string {
			data, _ := base64.StdEncoding.DecodeString(strings.TrimSpace(s))
			return base64.StdEncoding.EncodeToString(append(data, "some text"...))
		}},
		{"that is text", "LMC402", func(string, dice) string {
			return base64.StdEncoding.EncodeToString([]byte(strings.Repeat("This is no image, but text. ", 4)))
		}},
		{"that is a GIF", "LMC402", func(string, dice) string {
			return base64.StdEncoding.EncodeToString(append([]byte("GIF89a\x01\x00\x01\x00\x80\x00\x00"), make([]byte, 40)...))
		}},
	}
}

func isPicture(o object) bool {
	return o.text("type") == "image" && slices.Contains([]string{"base64", "base64.png", "base64.jpeg"}, o.text("format"))
}
