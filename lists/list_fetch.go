package lists

import (
	"strings"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/outbound"
)

// MaxURL is the maximum length of the URL of a list in bytes.
const MaxURL = outbound.MaxURL

// The bounds of Every of a [List], and its default.
const (
	MinEvery     = time.Minute
	MaxEvery     = 30 * 24 * time.Hour
	DefaultEvery = time.Hour
)

const (
	// lease is how long a list belongs to the fetcher that has claimed it, and to a sync that has begun. It is longer
	// than both usually take, so that a second one begins only after the first was killed.
	lease = 15 * time.Minute
	// maxRetry is the longest time between two fetches that fail, unless Every is longer.
	maxRetry = 24 * time.Hour
	// maxValidator is the maximum length of an ETag and of a Last-Modified in bytes. Longer ones are dropped.
	maxValidator = 256
)

// checkFetching adds issues unless the URL and Every are valid.
func (l List) checkFetching(issues *asset.Issues, private bool) {
	if l.URL == "" {
		issues.Check(l.Every == 0, "every", "must not be given without a URL")
		return
	}
	outbound.CheckURL(issues, "url", l.URL, private)
	issues.Check(MinEvery <= l.Every && l.Every <= MaxEvery, "every", "must be from 1 minute to 30 days")
}

// synced returns the list after a sync was completed.
func (l List) synced(at time.Time) List {
	l.SyncedAt = at
	l = l.recovered()
	return l.next(at.Add(l.wait()))
}

// recovered returns the list without a failure.
func (l List) recovered() List {
	l.FailedAt, l.Error, l.Failures = time.Time{}, "", 0
	return l
}

// failed returns the list after a sync or a fetch has failed. The next fetch is later with each failure, of which those
// by hand of a list with a URL are none: somebody may be trying until it works.
func (l List) failed(at time.Time, text string, scheduled bool) List {
	l.FailedAt, l.Error = at, strings.ToValidUTF8(text[:min(len(text), maxError)], "")
	if scheduled || l.URL == "" {
		l.Failures++
	}
	return l.next(at.Add(l.wait()))
}

// wait returns the time from the last sync or failure to the next fetch.
func (l List) wait() time.Duration {
	longest := max(l.Every, maxRetry)
	wait := l.Every
	for n := 1; n < l.Failures && 0 < wait && wait < longest; n++ {
		wait *= 2
	}
	return min(wait, longest)
}

// rescheduled returns the list after Every was changed. A list that waits to be fetched at once, or is being fetched, keeps
// its NextAt.
func (l List) rescheduled(old List) List {
	last := l.SyncedAt
	if !l.FailedAt.IsZero() {
		last = l.FailedAt
	}
	if l.NextAt.Equal(last.Add(old.wait())) {
		l = l.next(last.Add(l.wait()))
	}
	return l
}

// claimed returns the list of a fetcher or a sync that has begun. It leaves NextAt if that is later.
func (l List) claimed(at time.Time) List {
	if until := at.Add(lease); until.After(l.NextAt) {
		return l.next(until)
	}
	return l
}

// next returns the list that is fetched next at that time, if it has a URL.
func (l List) next(at time.Time) List {
	if l.URL != "" {
		l.NextAt = at
	}
	return l
}

// validator returns an ETag or a Last-Modified as it is stored, or nothing if it cannot be sent again.
func validator(text string) string {
	unprintable := func(r rune) bool { return r < ' ' || r > '~' }
	if len(text) > maxValidator || strings.ContainsFunc(text, unprintable) {
		return ""
	}
	return text
}
