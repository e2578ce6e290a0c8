package report

import "strconv"

// object writes JSON objects into memory, each on one line. It knows the few
// kinds of members that a report has: reflection would cost more than finding
// what there is to report.
type object struct{ json []byte }

func (o *object) begin() { o.json = append(o.json, '{') }

// end closes an object that has members: in the place of the last comma.
func (o *object) end() { o.json[len(o.json)-1] = '}' }

func (o *object) name(name string) {
	o.json = append(o.json, '"')
	o.json = append(o.json, name...)
	o.json = append(o.json, '"', ':')
}

func (o *object) text(name, value string) {
	o.name(name)
	o.json = append(appendString(o.json, value), ',')
}

// optional writes a member that is left out if it is empty.
func (o *object) optional(name, value string) {
	if value != "" {
		o.text(name, value)
	}
}

func (o *object) number(name string, value int) { o.number64(name, int64(value)) }

func (o *object) number64(name string, value int64) {
	o.name(name)
	o.json = append(strconv.AppendInt(o.json, value, 10), ',')
}

// index writes a member that is left out where nothing is counted, which -1
// says.
func (o *object) index(name string, value int) {
	if value >= 0 {
		o.number(name, value)
	}
}

// positive writes a member that is left out if it is zero.
func (o *object) positive(name string, value int) {
	if value > 0 {
		o.number(name, value)
	}
}

func (o *object) boolean(name string, value bool) {
	o.name(name)
	o.json = append(strconv.AppendBool(o.json, value), ',')
}

// within writes a member that is an object of its own, with one member or more.
func (o *object) within(name string, members func()) {
	o.name(name)
	o.begin()
	members()
	o.end()
	o.json = append(o.json, ',')
}

// list writes a member that is an array of n objects.
func (o *object) list(name string, n int, element func(i int)) {
	o.name(name)
	o.json = append(o.json, '[')
	for i := range n {
		if i > 0 {
			o.json = append(o.json, ',')
		}
		o.begin()
		element(i)
		o.end()
	}
	o.json = append(o.json, ']', ',')
}
