package hotlist

import (
	"math"
	"strconv"
)

// DiffsSince returns what a client with the newest time stamp must change. It has every element that can
// have changed, whether it has or not, so that it does not matter which server the client has asked
// before. A time stamp beyond the present one is answered with no changes. 0 and 1 are those of a client
// without lists.
//
// The error is [ErrNotFilled], or [ErrTooOld] if the time stamp is one of another store, or the history does
// not go back so far.
func (h *Hotlist) DiffsSince(stamp int64) (Response, error) {
	p := h.published.Load()
	if p == nil {
		return Response{}, ErrNotFilled
	}
	since, ok := positionOf(p.store, stamp)
	if !ok || !p.hasAfter(since) {
		return Response{}, ErrTooOld
	}
	begun := p.state
	return h.newResponse(begun, func() []section {
		return []section{{`{"data":[`, walkEntries(begun, since, addDiff(begun.stamp()))}, {`]}`, nil}}
	}), nil
}

// walkEntries returns the elements for the entries after a position, up to that of a state. What changes
// later comes with the next difference.
func walkEntries(begun state, after int64, add func([]byte, *published, int, entry) []byte) *walk[entry] {
	return &walk[entry]{
		list:    func(p *published) []entry { return p.entriesUpTo(begun.position) },
		compare: compareEntries,
		add:     add,
		valid: func(p *published, last entry) bool {
			if last.position == after {
				return p.hasAfter(after)
			}
			return p.hasAfter(last.position - 1) // its change can have more entries
		},
		last:    entry{position: after, target: math.MaxUint8},
		started: true,
	}
}

// addDiff returns the function that adds entries with a time stamp.
func addDiff(stamp int64) func(part []byte, p *published, i int, one entry) []byte {
	var before [blocklistPaths + 1]string
	for list := range before {
		before[list] = `,"timestamp":` + strconv.FormatInt(stamp, 10) + `,"targetList":"` + target(list).String() + `"`
	}
	return func(part []byte, _ *published, _ int, one entry) []byte {
		part = appendText(append(part, `{"url":`...), one.text)
		part = append(part, before[one.target]...)
		if one.removed {
			part = append(part, `,"isRemoval":true`...)
		}
		return append(part, '}')
	}
}
