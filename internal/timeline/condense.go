package timeline

import "slices"

// condense joins bars, and marks, that are close to each other in their lanes,
// until there are half as many as the limit allows.
func (r *Recorder) condense() {
	r.recording.Condensed = true
	for r.bars > MaxBars/2 || r.marks > MaxBars/2 {
		r.near = max(4, 2*r.near)
		r.bars, r.marks = 0, 0
		for _, v := range r.recording.Conversations {
			v.Bars = joinBars(v.Bars, r.near)
			v.Marks = joinMarks(v.Marks, r.near)
			r.bars += len(v.Bars)
			r.marks += len(v.Marks)
		}
		if r.near > 1<<40 {
			return // each conversation has few
		}
	}
}

// joinBars joins the bars of a lane that together are not longer than near
// records. A bar that may still grow is one at the end of its lane, which others
// are not joined into.
func joinBars(bars []*Bar, near int) []*Bar {
	var last [maxLanes + 1]*Bar
	return slices.DeleteFunc(bars, func(b *Bar) bool {
		before := last[b.Lane]
		if before == nil || b.growing || before.growing || b.Last-before.First >= near {
			last[b.Lane] = b
			return false
		}
		before.Last, before.End = max(before.Last, b.Last), max(before.End, b.End)
		before.State |= b.State
		before.Blocks += b.Blocks
		before.Content = nil
		if before.Role != b.Role {
			before.Role = ""
		}
		if before.Type != b.Type {
			before.Type = ""
		}
		if before.Format != b.Format {
			before.Format = ""
		}
		return true
	})
}

// joinMarks joins the marks of one kind in a lane that are within near records.
func joinMarks(marks []*Mark, near int) []*Mark {
	var last [maxLanes + 1]*Mark
	return slices.DeleteFunc(marks, func(m *Mark) bool {
		before := last[m.Lane]
		if before == nil || before.Kind != m.Kind || m.Record-before.Record >= near {
			last[m.Lane] = m
			return false
		}
		before.Repeats += m.Repeats
		if before.Label != m.Label {
			before.Label = ""
		}
		return true
	})
}
