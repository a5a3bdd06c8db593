package account

import "time"

// firstMoment is the earliest one that a store keeps. The one before it is the zero
// time, which means never.
func firstMoment() time.Time {
	return time.Time{}.Add(time.Millisecond)
}

// lastMoment is the latest one that a store keeps, as RFC 3339 has years of four
// digits.
func lastMoment() time.Time {
	return time.Date(9999, time.December, 31, 23, 59, 59, 999_000_000, time.UTC)
}

// moment returns t as stores keep it: in UTC, in whole milliseconds.
func moment(t time.Time) time.Time {
	return t.UTC().Truncate(time.Millisecond)
}

// storable reports whether t is a moment that stores keep.
func storable(t time.Time) bool {
	t = moment(t)
	return !t.Before(firstMoment()) && !t.After(lastMoment())
}

// clamped returns the moment that stores keep which is next to t.
func clamped(t time.Time) time.Time {
	return earlier(later(moment(t), firstMoment()), lastMoment())
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// sooner is earlier of two expiries, of which the zero time, never, is the latest.
func sooner(a, b time.Time) time.Time {
	if a.IsZero() {
		return b
	}
	if b.IsZero() {
		return a
	}
	return earlier(a, b)
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// now is what the clock tells, as stores keep it.
func (s *Service) now() time.Time {
	return clamped(s.clock())
}
