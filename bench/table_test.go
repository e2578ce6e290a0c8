package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestMedian(t *testing.T) {
	costs := []cost{{3, 1, 10}, {1, 5, 30}, {2, 3, 20}}
	assert.Equal(t, cost{2, 3, 30}, median(costs), "the peak is the largest")
	assert.Equal(t, cost{2, 3, 30}, median(costs[:2]), "of an even number: between the two in the middle")
	assert.Equal(t, costs[0], median(costs[:1]))
}

func TestRow(t *testing.T) {
	r := result{
		section: section{bytes: 10e6, tools: []tool{
			tool{name: "lmclint"}.within(24),
			tool{name: "naive"}.oneIn(10).atLeast(400),
			tool{name: "wc"}.atLeast(0.2),
			{name: "jq", absent: "not | installed"},
			tool{name: "pipe"}.atMost(1.5).within(24),
		}},
		costs: [][]cost{
			{{100 * time.Millisecond, 50 * time.Millisecond, 20e6}},
			{{4 * time.Second, 5 * time.Second, 30e6}},
			{{10 * time.Millisecond, 10 * time.Millisecond, 2e6}},
			nil,
			{{160 * time.Millisecond, 50 * time.Millisecond, 0}},
		},
		failed: []string{3: "not | installed", 4: ""},
	}
	for i, want := range []string{
		"| lmclint | all | 100 ms | 50 ms | 100 | 20 | 1.0 | 1.0 |  | ≤ 24 reached |",
		"| naive | 1/10, times 10 | 40 s | 50 s | 0.25 | 30 | 1,000 | 400 | ≥ 400 reached |  |",
		"| wc | all | 10 ms | 10 ms | 1,000 | 2.0 | 0.2 | 0.1 | ≥ 0.2 **missed** |  |",
		`| jq | | absent: not \| installed | | | | | | | |`,
		"| pipe | all | 160 ms | 50 ms | 62 | – | 1.0 | 1.6 | ≤ 1.5 **missed** |  |",
	} {
		assert.Equal(t, want, row(r, i))
	}
}

// A first program that failed leaves nothing to compare with.
func TestRowWithoutAFirst(t *testing.T) {
	r := result{
		section: section{tools: []tool{{name: "lmclint"}, tool{name: "naive"}.atLeast(400)}},
		costs:   [][]cost{nil, {{time.Second, time.Second, 1e6}}},
		failed:  []string{"exit status 2", ""},
	}
	assert.Equal(t, "| naive | all | 1.0 s | 1.0 s |  | 1.0 | – | – |  |  |", row(r, 1))
}

func TestFigure(t *testing.T) {
	for n, want := range map[float64]string{
		0.00056: "0.00056", 0.25: "0.25", 1: "1.0", 9.96: "10.0", 12.4: "12", 999.6: "1,000", 1234567: "1,234,567",
	} {
		assert.Equal(t, want, figure(n))
	}
}

func TestParse(t *testing.T) {
	o, err := parse([]string{"--quick", "--only", "tiny,memory"})
	assert.NoError(t, err)
	assert.Equal(t, []string{"tiny", "memory"}, o.only)
	assert.Equal(t, 1, o.rounds)
	for _, args := range [][]string{{"--only", "nothing"}, {"--rounds", "-1"}, {"extra"}, {"--unknown"}} {
		_, err := parse(args)
		assert.Error(t, err, "%v", args)
	}
}
