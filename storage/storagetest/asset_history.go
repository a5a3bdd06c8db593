package storagetest

import (
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

// hadStatus requires that asset 1 had the status at the time.
func (p *probe) hadStatus(want asset.Status, when time.Time) {
	p.Helper()
	id := p.asset(site(1)).ID
	require.Equal(p, map[int64]asset.Status{id: want}, p.statusesAt(when, id), "at %v", when)
}

func historyChecks() []requirement {
	unknown, allowed, blocked := asset.StatusUnknown, asset.StatusAllowed, asset.StatusBlocked
	return []requirement{
		{"the status is that of the last change up to the time", func(p *probe) {
			p.set(site(1), blocked, at(10))
			p.set(site(1), allowed, at(20))
			for _, test := range []struct {
				reason string
				when   time.Time
				want   asset.Status
			}{
				{"before the first change", at(9), unknown},
				{"within the millisecond before", at(10).Add(-1), unknown},
				{"at exactly that time", at(10), blocked},
				{"in another time zone", at(10).In(time.FixedZone("", -9*3600)), blocked},
				{"within its millisecond", at(10).Add(999_999), blocked},
				{"between two changes", at(19), blocked},
				{"at the last change", at(20), allowed},
				{"long after", at(20).AddDate(100, 0, 0), allowed},
				{"the first time of year 1", minTime, unknown},
				{"the last time of year 9999", maxTime, allowed},
				{"the largest time.Time", time.Unix(1<<63-62135596801, 999_999_999), allowed},
				{"a time before the range of milliseconds", time.Unix(-1<<60, 0), unknown},
			} {
				id := p.asset(site(1)).ID
				require.Equal(p, test.want, p.statusesAt(test.when, id)[id], test.reason)
			}
		}},
		{"the change with the largest ID decides within a millisecond", func(p *probe) {
			p.toggle(1, at(10), at(10), at(10))
			p.hadStatus(unknown, at(9))
			p.hadStatus(blocked, at(10))
		}},
		{"the order of the changelog decides if the clock was set back", func(p *probe) {
			p.set(site(1), blocked, at(30))
			p.set(site(1), allowed, at(10))
			p.hadStatus(blocked, at(9))
			p.hadStatus(allowed, at(29))
			p.hadStatus(blocked, at(30))
		}},
		{"an asset without changes always had its current status", func(p *probe) {
			p.set(site(1), unknown, at(0))
			p.hadStatus(unknown, minTime)
			p.hadStatus(unknown, maxTime)
		}},
		{"From of the first change is the status before it, also after pruning", func(p *probe) {
			p.toggle(1, at(10), at(20), at(30))
			p.hadStatus(unknown, at(9))
			require.Equal(p, 2, p.pruneAll(at(1000), 10))
			p.hadStatus(allowed, at(9))
			p.hadStatus(allowed, at(29))
			p.hadStatus(blocked, at(30))
		}},
		{"each asset has its own status, and unknown IDs are omitted", func(p *probe) {
			p.toggle(1, at(10), at(30))
			p.toggle(2, at(20))
			one, two := p.asset(site(1)).ID, p.asset(site(2)).ID
			require.Equal(p, map[int64]asset.Status{one: blocked, two: unknown}, p.statusesAt(at(15), two, 1_000_000, one, asset.MaxID, two))
			require.Empty(p, p.statusesAt(at(15)))
			require.Empty(p, p.statusesAt(at(15), 1_000_000))
		}},
		{"statuses are exact to the millisecond from year 1 to 9999", func(p *probe) {
			all := sampleTimes()
			p.toggle(1, all...)
			for i, when := range all {
				want := blocked
				if i%2 == 1 {
					want = allowed
				}
				p.hadStatus(want, when)
				p.hadStatus(want, when.Add(999_999))
			}
		}},
	}
}
