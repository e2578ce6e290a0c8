package rules_test

import (
	"bytes"
	"hash/maphash"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/internal/dev/mutation/mutationtest"
	"github.com/lmclint/lmclint/internal/verify/suite/caselint"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// independentInput is an input whose findings must depend on nothing else.
type independentInput struct {
	config lint.Config
	data   func() []byte
}

// independentInputs are the inputs of the suite and mutants: all and 100,000 in
// exhaustive tests, else some of them.
func independentInputs(t *testing.T) (inputs []independentInput) {
	t.Helper()
	largest, mutants := int64(16<<10), 300
	if exhaustive.Enabled() {
		largest, mutants = 1<<40, 100_000
	}
	var files []string
	for _, folder := range caseFolders {
		files = append(files, cases(t, folder)...)
	}
	for _, path := range exhaustive.Sample(files, 300) {
		if info, err := os.Stat(path); err != nil || info.Size() > largest {
			require.NoError(t, err)
			continue
		}
		o := readExpectation(t, path).Options
		inputs = append(inputs, independentInput{
			config: caselint.Config(o),
			data: func() []byte {
				data, err := os.ReadFile(path)
				assert.NoError(t, err)
				return data
			},
		})
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		data := []byte(randomRecord(random) + "\n" + randomRecord(random) + "\n")
		for _, kind := range []string{"transcript", "stream"} {
			inputs = append(inputs, independentInput{lint.Config{Kind: kind, Dialect: "interpreter", Form: "jsonl"}, func() []byte { return data }})
		}
	}
	recordings, err := mutationtest.Load(os.DirFS(filepath.Join(suiteRoot, "recorded")))
	require.NoError(t, err)
	for _, m := range mutationtest.Seeds(recordings, mutants) {
		r := m.Recording
		inputs = append(inputs, independentInput{
			config: lint.Config{Dialect: r.Dialect, AutoRun: r.AutoRun, AllowEmpty: true},
			data:   m.Data,
		})
	}
	return inputs
}

// randomRecord returns a record whose members are right, wrong in a few ways, or
// missing, so that many such records differ in one of them only.
func randomRecord(random *rand.Rand) string {
	var members []string
	for _, member := range [][]string{
		{"role", `"user"`, `"assistant"`, `"end"`, `"start"`, `"xyz"`, `"asistant"`, `""`, `"1"`, `1`},
		{"type", `"message"`, `"code"`, `"console"`, `"image"`, `"mesage"`, `"end"`, `"xyz"`, `null`},
		{"format", `"python"`, `"output"`, `"active_line"`, `"base64.png"`, `"start"`, `"xyz"`, `""`},
		{"content", `"x"`, `"1"`, `""`, `1`, `0`, `-1`, `1.5`, `null`, `{}`},
		{"start", `true`, `false`, `1`},
		{"end", `true`, `"true"`},
		{"id", `"a"`, `"1"`, `7`},
		{"contnt", `"x"`},
	} {
		name, values := member[0], member[1:]
		isUsual := name == "role" || name == "type" || name == "content"
		if isUsual == (random.IntN(5) > 0) {
			members = append(members, strconv.Quote(name)+": "+values[random.IntN(len(values))])
		}
	}
	return "{" + strings.Join(members, ", ") + "}"
}

// linterPool has one linter for each configuration.
type linterPool struct {
	mu      sync.Mutex
	rules   []*lint.Rule
	linters map[lint.Config]*lint.Linter
	options []lint.Option
}

func newLinterPool(options ...lint.Option) *linterPool {
	return &linterPool{rules: rules.All(), linters: map[lint.Config]*lint.Linter{}, options: options}
}

func (p *linterPool) linter(config lint.Config) *lint.Linter {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.linters[config] == nil {
		p.linters[config] = linttest.MustNew(p.rules, append(p.options[:len(p.options):len(p.options)], lint.WithConfig(config))...)
	}
	return p.linters[config]
}

// What is found in an input depends on nothing but the input: not on others that
// the linter had before, on their order, on jobs beside it, or on the fast path.
func TestFindingsDependOnNothingElse(t *testing.T) {
	t.Parallel()
	inputs := independentInputs(t)
	seed := maphash.MakeSeed()
	want := make([]uint64, len(inputs))
	ordered := newLinterPool(lint.WithoutFastPath())
	inParallel(2, len(inputs), func(i int) {
		want[i] = maphash.String(seed, everything(ordered.linter(inputs[i].config), bytes.NewReader(inputs[i].data())))
	})
	// A mismatch is shown as the findings of two fresh linters would be.
	same := func(i int, linter *lint.Linter, how string) {
		data := inputs[i].data()
		if got := everything(linter, bytes.NewReader(data)); maphash.String(seed, got) != want[i] {
			alone := newLinterPool(lint.WithoutFastPath()).linter(inputs[i].config)
			assert.Equal(t, everything(alone, bytes.NewReader(data)), got, "%s, of %+v:\n%.4000s", how, inputs[i].config, data)
			assert.Equal(t, want[i], maphash.String(seed, got), "%s, in another order: %.4000s", how, data)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for name, options := range map[string][]lint.Option{"with the fast path": nil, "without the fast path": {lint.WithoutFastPath()}} {
		for _, jobs := range []int{1, 2, 8} {
			pool, order := newLinterPool(options...), random.Perm(len(inputs))
			inParallel(jobs, len(order), func(k int) { same(order[k], pool.linter(inputs[order[k]].config), name) })
		}
		fresh := random.Perm(len(inputs))
		if exhaustive.Enabled() {
			fresh = fresh[:len(fresh)/20]
		} else {
			fresh = fresh[:len(fresh)/10]
		}
		inParallel(2, len(fresh), func(k int) { same(fresh[k], newLinterPool(options...).linter(inputs[fresh[k]].config), name+", alone") })
	}
}

// inParallel calls a function for each number below n, in their order, with a
// number of goroutines.
func inParallel(jobs, n int, do func(int)) {
	next := make(chan int)
	var group sync.WaitGroup
	for range jobs {
		group.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	group.Wait()
}
