package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
)

const (
	// maxRefusals is the number of refused entries that an import prints, and maxReasons that of the
	// reasons by which it counts the others.
	maxRefusals = 1000
	maxReasons  = 50
)

// refusals prints the refused entries of an import: the first ones, and the number of the others by
// reason.
type refusals struct {
	told    *progress
	printed int
	more    map[string]int
}

func newRefusals(told *progress) *refusals {
	return &refusals{told: told, more: make(map[string]int)}
}

// add prints or counts a refused entry.
func (r *refusals) add(e lists.Entry) {
	if r.printed < maxRefusals {
		r.printed++
		r.told.say("%s", refusalText(e))
		return
	}
	reason := refusalReason(e.Err)
	if _, known := r.more[reason]; !known && len(r.more) == maxReasons {
		reason = "another reason"
	}
	r.more[reason]++
}

// end prints the numbers of the entries that were not printed, the greatest first.
func (r *refusals) end() {
	reasons := slices.SortedFunc(maps.Keys(r.more), func(a, b string) int {
		return cmp.Or(cmp.Compare(r.more[b], r.more[a]), cmp.Compare(a, b))
	})
	for _, reason := range reasons {
		r.told.say("%d more refused: %s", r.more[reason], reason)
	}
}

// refusalText says where a refused entry is, why it is refused, and what it is. Control characters
// are quoted.
func refusalText(e lists.Entry) string {
	where, reason, text := fmt.Sprintf("line %d", e.Line), refusalReason(e.Err), cmp.Or(e.Text, e.Identity.Canonical)
	if e.Position != "" {
		where += ", " + e.Position
	}
	if text == "" {
		return where + ": refused: " + reason
	}
	return where + ": refused: " + reason + ": " + strconv.Quote(text)
}

// refusalReason says why an entry is refused, with the flag that takes it.
func refusalReason(err error) string {
	var protected *asset.ProtectedError
	switch {
	case errors.As(err, &protected):
		return protected.Error() + "; -allow-protected blocks it"
	case errors.Is(err, lists.ErrBareHandle):
		return "is a word without @, which is an account only with -accounts"
	default:
		return err.Error()
	}
}
