package main

import (
	"cmp"
	"slices"
	"time"
)

// cost is what one run of a program took.
type cost struct {
	wall, cpu time.Duration // cpu is user and system together
	peak      int64         // resident bytes
}

// median takes the median of each time, and the largest peak.
func median(costs []cost) cost {
	return cost{
		wall: middle(costs, wall),
		cpu:  middle(costs, cpu),
		peak: slices.MaxFunc(costs, func(a, b cost) int { return cmp.Compare(a.peak, b.peak) }).peak,
	}
}

func middle(costs []cost, of func(cost) time.Duration) time.Duration {
	var times []time.Duration
	for _, c := range costs {
		times = append(times, of(c))
	}
	slices.Sort(times)
	n := len(times)
	return (times[(n-1)/2] + times[n/2]) / 2
}
