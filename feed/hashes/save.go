package hashes

import (
	"io"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/feed/internal/saved"
)

// Save implements [feed.Copy]. It writes the records, the start of the history, and its changes.
func (c *copied) Save(w io.Writer) error {
	c.merge()
	out := saved.NewWriter(w)
	write := func(numbers ...uint64) {
		for _, n := range numbers {
			out.Number(n)
		}
	}
	write(uint64(len(c.records)))
	for _, r := range c.records {
		write(r.hash, r.asset)
	}
	write(uint64(c.history.start), uint64(len(c.history.changes))) //nolint:gosec // positions are not negative
	for i, one := range c.history.changes {
		at := c.history.places[i]
		write(uint64(at.after), uint64(at.last), one.hash, uint64(one.id), uint64(one.from)<<8|uint64(one.to)) //nolint:gosec // neither are IDs
	}
	return out.Flush()
}

// Load implements [feed.Copy].
func (c *copied) Load(r io.Reader) error {
	in := reader{saved.NewReader(r)}
	for n := in.Number(); n > 0 && in.Err() == nil; n-- {
		in.record(c)
	}
	start := in.position()
	if start > c.cursor.Position() {
		in.Fail()
	}
	c.history, c.sorted = log{start: start}, true
	for n := in.Number(); n > 0 && in.Err() == nil; n-- {
		in.change(c)
	}
	return in.End()
}

// reader reads a saved copy.
type reader struct{ *saved.Reader }

// position returns a position of the feed, or an ID.
func (r reader) position() int64 {
	n := r.Number()
	if n > asset.MaxID {
		r.Fail()
		return 0
	}
	return int64(n)
}

// record adds a record, which must be larger than those before.
func (r reader) record(c *copied) {
	one := record{r.Number(), r.Number()}
	last := len(c.records) - 1
	if r.Err() == nil && (!asset.ValidID(one.id()) || last >= 0 && compareAssets(c.records[last], one) >= 0) {
		r.Fail()
	}
	c.records = append(c.records, one)
}

// change adds a change to the history, which must not be before others.
func (r reader) change(c *copied) {
	at := place{r.position(), r.position()}
	one := change{hash: r.Number(), id: r.position()}
	statuses := r.Number()
	one.from, one.to = status(statuses>>8), status(statuses) //nolint:gosec // they are compared below
	before := place{c.history.start, c.history.start}
	if last := len(c.history.places) - 1; last >= 0 {
		before = c.history.places[last]
	}
	follows := at == before || at.after >= before.last
	if statuses != uint64(one.from)<<8|uint64(one.to) || one.from > blocked || one.to > blocked || !follows ||
		at.after >= at.last || at.last > c.cursor.Position() {
		r.Fail()
	}
	c.history = c.history.append(at, one, c.origin.options.History)
}
