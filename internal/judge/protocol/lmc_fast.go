package protocol

import (
	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/judge/agreement"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/recognise"
	"github.com/lmclint/lmclint/internal/source/value"
	"github.com/lmclint/lmclint/schema"
)

// fastPath is what a session recognizes records by. It outlives conversations.
type fastPath struct {
	dialect *schema.Dialect // in which the templates are valid
	matcher *recognise.Matcher
	records []*lmc.Record // views of the templates' records, by the ID of the template
}

func newFastPath(dialect *schema.Dialect) *fastPath {
	return &fastPath{dialect: dialect, matcher: recognise.New("content")}
}

// FastPath implements [plugin.Session].
func (s *lmcSession) FastPath() plugin.FastPath {
	if s.shared.config.NoFastPath {
		return nil
	}
	return s
}

// smallElement is up to how many bytes of an incomplete element are matched again
// whenever more of it has arrived. Beyond that they double each time.
const smallElement = 64 << 10

// StepFast implements [plugin.FastPath].
func (s *lmcSession) StepFast(w source.Window, wanted plugin.Mask) (done plugin.FastResult) {
	if s.state.Kind == KindSession {
		return done // what a frame means depends on who sent it
	}
	s.hasFinding = false
	needed := lmc.Kind(lmc.Confirmation) // by the session itself
	if s.agreement != nil {
		needed |= agreement.HandledKinds
	}
	s.single.SetWanted(lmc.Kind(wanted) | needed)
	defer s.single.SetWanted(^lmc.Kind(0))
	first := w.Number
	for s.maxSteps() > 0 {
		t, match, isCut := s.fast.matcher.Next(&w)
		if t == nil {
			if isCut && w.Number == first && !w.HasWholeRecords {
				if done.MissingBytes = 1; len(w.Text) > smallElement {
					done.MissingBytes = len(w.Text)
				}
			}
			break
		}
		s.last = t.Fill(&w, match)
		s.records++
		s.single.Follow(s.fast.records[t.ID])
		t.Skip(&w, match)
		if w.HasWholeRecords && t.Begins(w.Text) {
			s.stepRun(&w, t)
		}
		done.Records, done.End, done.ShowsJSON = w.Number-first, w.At, w.ShowsJSON
		if !w.HasWholeRecords && !w.NextElement() {
			break
		}
	}
	if done.Records > 0 {
		s.single.SetLast(s.last)
		s.others.accept(s.last.Event)
	}
	return done
}

// stepRun steps over the records that differ from the last one in their text
// only, if the tracker needs no more than their text.
func (s *lmcSession) stepRun(w *source.Window, t *recognise.Template) {
	r := s.fast.records[t.ID]
	ok, needsText := s.single.CanRepeat(r)
	if !ok {
		return
	}
	stop := ""
	if r.Type == "console" {
		stop = lmc.MarkerSign // a rule reads output that may have a marker
	}
	var recurring *recognise.Recurring
	if needsText {
		first, longest := s.single.Compared()
		recurring = &recognise.Recurring{First: first, Longest: longest}
	}
	run := s.fast.matcher.Run(w, t, s.maxSteps(), stop, recurring)
	if run.Records == 0 {
		return
	}
	s.single.Repeat(run.Records, run.Text)
	s.records += run.Records
	s.last = t.SkipRun(w, run)
}

// maxSteps is over how many records the fast path may step before something else
// must be done.
func (s *lmcSession) maxSteps() int {
	switch {
	case s.hasFinding:
		return 0
	case len(s.state.possible) == 0:
		return 1 << 30
	}
	return maxUndecidedRecords - s.records - 1
}

// cacheRecord makes a template of a record in which no rule has a finding.
func (s *lmcSession) cacheRecord(r *lmc.Record) {
	varies, ok := s.variableValue(r)
	if !ok {
		return
	}
	if t := s.fast.matcher.Add(r.Source, varies); t != nil {
		known := lmc.NewRecord(t.Record())
		known.Language = r.Language
		s.fast.records = append(s.fast.records, known)
	}
}

// variableValue returns the value of a record that may vary, or nil. It reports
// false if records that differ from it there need not be valid, or need not mean
// the same.
func (s *lmcSession) variableValue(r *lmc.Record) (n *value.Node, ok bool) {
	src := r.Source
	if s.state.Kind == KindSession || src.Wrapped || src.IsDecoded() || len(src.Problems) > 0 || r.HasNulls() || r.Invalid != 0 || !s.state.isCacheable(r) {
		return nil, false
	}
	for i := range src.Root.Children {
		if !commonKeys[src.Root.Children[i].Name] {
			return nil, false
		}
	}
	switch {
	case r.Flag():
		return nil, r.Content == nil
	case r.Type == "command":
		return nil, false // its text may be a sign of a dialect
	case r.Type == "confirmation":
		n = r.Content.Member("content")
	case r.Format == "active_line":
		return lineNumber(r.Content)
	default:
		n = r.Content
	}
	return n, n != nil && n.Kind == value.String && !hasPrefix(n)
}

// commonKeys are the keys whose values recur.
var commonKeys = map[string]bool{
	"role": true, "type": true, "format": true, "content": true, "start": true, "end": true, "recipient": true,
}

// hasPrefix reports whether a string has letters before its quote, as only
// Python has it.
func hasPrefix(n *value.Node) bool { return n.Raw()[0] != '"' && n.Raw()[0] != '\'' }

// lineNumber returns an active_line that is a positive whole number. It reports
// false for any other value but null.
func lineNumber(n *value.Node) (varies *value.Node, ok bool) {
	if n == nil || n.Kind != value.Null && n.Kind != value.Number {
		return nil, false
	}
	if n.Kind == value.Null {
		return nil, true
	}
	for _, c := range n.Raw() {
		if c < '0' || c > '9' {
			return nil, false
		}
	}
	return n, true
}

// isCacheable reports whether no rule about the shape of a record has a finding
// in it that it reports once per block.
func (s *State) isCacheable(r *lmc.Record) bool {
	if s.Transcript && NeverStored(r) {
		return false
	}
	_, spelled, _ := s.Dialect.Language(r.Format)
	return len(s.UsualRoles(r)) == 0 && !s.IsUserToUser(r) && (r.Type != "code" || spelled || s.Dialect.IsNote(r.Format))
}
