package hotlist

import (
	"iter"
	"strconv"

	"github.com/apguard/apguard/lists"
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
func walkEntries(begun state, after int64, add func([]byte, entry) []byte) *walk[entry] {
	return &walk[entry]{
		after: func(p *published, last entry) iter.Seq[entry] { return p.entriesBetween(last, begun.position) },
		add:   add,
		valid: func(p *published, last entry) bool {
			if last.position == after {
				return p.hasAfter(after)
			}
			return p.hasAfter(last.position - 1) // its change can have more entries
		},
		last: lastAt(after),
	}
}

// targets are the names of the lists.
var targets = [...]string{
	lists.WalletBlocked:      "eth_phishing_detect_config.blocklist",
	lists.WalletAllowed:      "eth_phishing_detect_config.allowlist",
	lists.WalletBlockedPaths: "eth_phishing_detect_config.blocklistPaths",
}

// addDiff returns the function that adds entries with a time stamp.
func addDiff(stamp int64) func(part []byte, one entry) []byte {
	var before [len(targets)]string
	for list, name := range targets {
		before[list] = `,"timestamp":` + strconv.FormatInt(stamp, 10) + `,"targetList":"` + name + `"`
	}
	return func(part []byte, one entry) []byte {
		part = appendText(append(part, `{"url":`...), one.Text)
		part = append(part, before[one.List]...)
		if one.removed {
			part = append(part, `,"isRemoval":true`...)
		}
		return append(part, '}')
	}
}
