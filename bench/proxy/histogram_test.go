package main

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestQuantilesAreWithinOnePercent(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var all []time.Duration
	one, two := &histogram{}, &histogram{}
	for i := range 20000 {
		delay := time.Duration(1000 * (1 + random.ExpFloat64()*float64(1+i%500)))
		all = append(all, delay)
		one.add(delay, 1)
		two.add(delay, 2)
	}
	one.merge(two)
	slices.Sort(all)
	assert.EqualValues(t, 60000, one.total)
	for _, part := range []float64{0.01, 0.5, 0.9, 0.99, 0.999} {
		want := all[int(part*float64(len(all)))]
		assert.InEpsilon(t, float64(want), float64(one.quantile(part)), 0.01, "%v", part)
	}
	assert.Zero(t, (&histogram{}).quantile(0.5))
}
