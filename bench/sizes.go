package main

// sizes are how much data there is of each kind.
type sizes struct {
	chunks, cliffChunks, wrongChunks, files int
	imageBytes, longBytes                   int64
	piped                                   []int64 // bytes of the memory section
}

func sizesOf(quick bool) sizes {
	if quick {
		return sizes{60_000, 20_000, 10_000, 300, 10e6, 5e6, []int64{5e6, 20e6}}
	}
	return sizes{1_500_000, 400_000, 400_000, 10_000, 200e6, 100e6, []int64{100e6, 1000e6, 4000e6}}
}
