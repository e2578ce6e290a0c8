package lmc

import "github.com/lmclint/lmclint/internal/source"

// maxIDs is how many ids are kept.
const maxIDs = 4096

// Deliveries recognizes records of the server that it delivers again under the
// same id, as it does in acknowledge mode. The zero Deliveries is ready to use.
type Deliveries struct {
	known map[TextDigest]*Delivery // by id
	order []TextDigest             // a ring, once it is full
	next  int                      // the oldest in the ring

	frame Digester // memory for the digest of a record
}

// Delivery is a record with an id.
type Delivery struct {
	// Pending is the record that waits for an acknowledgement, if the caller
	// follows these, or nil.
	Pending *source.PlaceRef
	Repeats int // how often it was delivered again

	frame  TextDigest
	shared bool // different records have the id: it does not identify one
}

// Again returns the delivery of a record that was delivered before, else nil.
func (d *Deliveries) Again(r *Record) *Delivery {
	id, ok := idOf(r)
	if !ok || r.SharesID() {
		return nil
	}
	found := d.known[id]
	if found == nil || found.shared || found.frame != d.digest(r) {
		return nil
	}
	found.Repeats++
	return found
}

// Keep keeps the id of a record that was not delivered before, and returns nil
// if the record has none. IsNew is set unless other records had the id. Dropped
// is the delivery that is forgotten instead, or nil.
func (d *Deliveries) Keep(r *Record) (found *Delivery, isNew bool, dropped *Delivery) {
	id, ok := idOf(r)
	if !ok {
		return nil, false, nil
	}
	if found = d.known[id]; found != nil {
		found.shared = true
		return found, false, nil
	}
	if d.known == nil {
		d.known = map[TextDigest]*Delivery{}
	}
	found = &Delivery{frame: d.digest(r)}
	d.known[id] = found
	if len(d.order) < maxIDs {
		d.order = append(d.order, id)
		return found, true, nil
	}
	oldest := d.order[d.next]
	d.order[d.next] = id
	d.next = (d.next + 1) % maxIDs
	dropped = d.known[oldest]
	delete(d.known, oldest)
	return found, true, dropped
}

// idOf returns the id of a record. It must be a string that is not empty.
func idOf(r *Record) (id TextDigest, ok bool) {
	if r.ID == nil || r.ID.Kind != source.String || r.ID.Text() == "" {
		return id, false
	}
	return DigestText(r.ID.Text()), true
}

// digest returns the digest of a record's role, type, format, flags and content.
func (d *Deliveries) digest(r *Record) TextDigest {
	d.frame.Reset()
	for _, word := range []string{r.Role, r.Type, r.Format} {
		d.frame.Add(append([]byte(word), 0))
	}
	for _, n := range []*source.Node{r.StartNode, r.EndNode, r.Content} {
		if n != nil {
			d.frame.Add(n.Raw())
		}
		d.frame.Add([]byte{0})
	}
	return d.frame.Digest()
}

// Find returns the delivery of an id, or nil.
func (d *Deliveries) Find(id string) *Delivery { return d.known[DigestText(id)] }

// Len is how many deliveries are kept.
func (d *Deliveries) Len() int { return len(d.order) }

// At returns a delivery that is kept; 0 is the oldest.
func (d *Deliveries) At(i int) *Delivery { return d.known[d.order[(d.next+i)%len(d.order)]] }

// Redelivered reports whether a record of a stream was delivered before, with
// the same id. The caller must not pass such a record to Step: it counts once.
func (t *Tracker) Redelivered(r *Record) bool {
	if t.isWhole || r.ID == nil || r.Role == "user" || r.IsAck() {
		return false
	}
	d := t.deliveries.Again(r)
	if d == nil {
		t.deliveries.Keep(r)
		return false
	}
	t.end.Set(r.Source, nil)
	if d.Repeats == 1 {
		t.send(Event{Kind: Redelivered, Record: r})
	}
	return true
}

// SharesID reports whether a record may be the frame that completes a response.
// All such frames of a server have one id.
func (r *Record) SharesID() bool {
	switch r.Type {
	case "completion":
		return true
	case "status":
		return r.Text() == "complete" || r.Content == nil || r.Content.Kind != source.String
	}
	return r.Role == "server" && r.Text() == "complete"
}
