package manifest

import (
	"fmt"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// MaxAhead is how far a manifest may be ahead of the clock of a client.
const MaxAhead = 5 * time.Minute

// Refusal returns why a client must not use the manifest, or nil. The last one is the last that it has used, or zero.
// The manifest may be the same. It must not be older, neither by its time nor by its version, and must not be of another
// store, unless that of the last one had no changes. It must be younger than maxAge.
//
// The error matches [ErrOlder], [ErrOtherStore], [ErrTooOld] or [ErrFuture], or is a [*RulesError].
func (m Manifest) Refusal(last Manifest, now time.Time, maxAge time.Duration) error {
	age := now.Sub(m.Time)
	switch {
	case m.Time.Before(last.Time):
		return fmt.Errorf("%w: it is of %s, and that of %s", ErrOlder, stamp(m.Time), stamp(last.Time))
	case last.Version != (asset.FeedCursor{}) && m.Version.Store() != last.Version.Store():
		return ErrOtherStore
	case m.Version.Before(last.Version):
		return fmt.Errorf("%w: its version is before that of the last one", ErrOlder)
	case age < -MaxAhead:
		return fmt.Errorf("%w: it is of %s", ErrFuture, stamp(m.Time))
	case age >= maxAge:
		return fmt.Errorf("%w: it is of %s", ErrTooOld, stamp(m.Time))
	case m.Rules != classify.Version:
		return &RulesError{Have: m.Rules, Want: classify.Version}
	}
	return nil
}

// stamp returns the time as the text of a manifest has it.
func stamp(t time.Time) string { return t.UTC().Format(layout) }
