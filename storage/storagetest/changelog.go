package storagetest

import (
	"cmp"
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

// newestFirst returns the changes in the order of the changelog.
func newestFirst(changes []asset.Change) []asset.Change {
	sorted := slices.Clone(changes)
	slices.SortFunc(sorted, func(a, b asset.Change) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(b.ID, a.ID))
	})
	return sorted
}

// block blocks assets 0, 1, 2, ... at these times, one after the other.
func (p *probe) block(moments ...time.Time) {
	p.Helper()
	for n, moment := range moments {
		p.set(site(n), asset.StatusBlocked, moment)
	}
}

// contents returns the assets of the changes, in order.
func contents(changes []asset.Change) []string {
	list := make([]string, len(changes))
	for i, change := range changes {
		list[i] = change.Content
	}
	return list
}

// sites returns the canonical forms of the assets with these numbers.
func sites(numbers ...int) []string {
	list := make([]string, len(numbers))
	for i, n := range numbers {
		list[i] = site(n).Canonical
	}
	return list
}

func changelogChecks() []check {
	return []check{
		{"an empty store has no changes", func(p *probe) {
			require.Empty(p, p.changes(asset.ChangeFilter{}))
			require.Empty(p, p.changes(asset.ChangeFilter{Identity: site(1)}))
			require.Empty(p, p.changesAfter(asset.ChangeFilter{}, asset.ChangeCursor{At: at(0), ID: 1}, 10))
		}},
		{"changes are ordered by time, newest first, and not as they were recorded", func(p *probe) {
			p.block(at(30), at(10), at(50), at(20), at(40))
			require.Equal(p, sites(2, 4, 0, 3, 1), contents(p.changes(asset.ChangeFilter{})))
		}},
		{"changes of one millisecond are ordered by ID, descending", func(p *probe) {
			p.block(at(5), at(5), at(4), at(5), at(6), at(5))
			changes := p.changes(asset.ChangeFilter{})
			require.Equal(p, sites(4, 5, 3, 1, 0, 2), contents(changes))
			require.Equal(p, newestFirst(changes), changes)
		}},
		{"changes of one asset are ordered by time if the clock was set back", func(p *probe) {
			statuses := []asset.Status{asset.StatusBlocked, asset.StatusAllowed, asset.StatusUnknown, asset.StatusBlocked}
			for i, status := range statuses {
				p.set(site(1), status, at(-10*i))
			}
			changes := p.changes(asset.ChangeFilter{Identity: site(1)})
			require.Len(p, changes, 4)
			for i, change := range changes {
				require.Equal(p, statuses[i], change.To)
			}
			require.Equal(p, changes, p.changes(asset.ChangeFilter{}))
		}},
		{"IDs grow in the order of recording", func(p *probe) {
			p.block(at(30), at(10), at(20))
			byContent := make(map[string]int64)
			for _, change := range p.changes(asset.ChangeFilter{}) {
				byContent[change.Content] = change.ID
			}
			require.GreaterOrEqual(p, byContent[site(0).Canonical], int64(1))
			require.Greater(p, byContent[site(1).Canonical], byContent[site(0).Canonical])
			require.Greater(p, byContent[site(2).Canonical], byContent[site(1).Canonical])
		}},
		{"pages of every size return all changes", needs("AddToAllowlist", func(p *probe) {
			p.pageableChanges()
			for _, filter := range []asset.ChangeFilter{
				{},
				{To: asset.StatusAllowed},
				{Identity: site(2)},
				{Period: asset.Period{Since: at(2), Before: at(7)}},
			} {
				whole := p.changes(filter)
				require.NotEmpty(p, whole)
				for size := 1; size <= len(whole)+1; size++ {
					require.Equal(p, whole, p.changesByPages(filter, size), "pages of %d for filter %+v", size, filter)
				}
			}
		})},
		{"a cursor may be at a change that the filter does not match", func(p *probe) {
			p.block(at(10), at(20), at(20), at(30))
			newest := p.newestChange()
			require.Equal(p, sites(0), contents(p.changesAfter(asset.ChangeFilter{Identity: site(0)}, newest.Cursor(), 10)))
		}},
		{"a cursor may be between changes", func(p *probe) {
			p.block(at(10), at(20), at(20), at(30))
			for _, test := range []struct {
				reason string
				after  asset.ChangeCursor
				want   []string
			}{
				{"after everything", asset.ChangeCursor{At: at(10), ID: 1}, sites()},
				{"between two times", asset.ChangeCursor{At: at(25), ID: 1}, sites(2, 1, 0)},
				{"at a time, above its IDs", asset.ChangeCursor{At: at(20), ID: asset.MaxID}, sites(2, 1, 0)},
				{"at a time, below its IDs", asset.ChangeCursor{At: at(20), ID: 1}, sites(0)},
				{"a time without an ID", asset.ChangeCursor{At: at(20)}, sites(0)},
				{"between two milliseconds", asset.ChangeCursor{At: at(20).Add(time.Microsecond), ID: 1}, sites(2, 1, 0)},
				{"before everything", asset.ChangeCursor{At: at(1000), ID: 1}, sites(3, 2, 1, 0)},
			} {
				require.Equal(p, test.want, contents(p.changesAfter(asset.ChangeFilter{}, test.after, 10)), test.reason)
			}
		}},
		{"a change that is recorded between two pages is in neither", func(p *probe) {
			p.block(at(10), at(20), at(30))
			first := p.changesAfter(asset.ChangeFilter{}, asset.ChangeCursor{}, 2)
			require.Equal(p, sites(2, 1), contents(first))
			p.set(site(9), asset.StatusBlocked, at(40))
			require.Equal(p, sites(0), contents(p.changesAfter(asset.ChangeFilter{}, first[1].Cursor(), 2)))
		}},
		{"a cursor at the zero time is not the start of the list", func(p *probe) {
			var first time.Time
			p.block(first, first, first)
			changes := p.changes(asset.ChangeFilter{})
			require.Equal(p, sites(2, 1, 0), contents(changes))
			require.Equal(p, changes, p.changesByPages(asset.ChangeFilter{}, 1))
		}},
	}
}

// pageableChanges records changes of a few assets, many in the same millisecond.
func (p *probe) pageableChanges() {
	p.Helper()
	for i := range 12 {
		p.set(site(i%4), []asset.Status{asset.StatusBlocked, asset.StatusAllowed, asset.StatusUnknown}[(i/4)%3], at(i*7%10))
	}
	cmd := addCommand(1, 10, 11, 12, 13, 14)
	cmd.At = at(5)
	p.add(cmd)
}

// changesByPages reads the whole list in pages of the given size.
func (p *probe) changesByPages(filter asset.ChangeFilter, size int) []asset.Change {
	p.Helper()
	return allPages(p, size, func(last asset.Change) []asset.Change {
		var after asset.ChangeCursor
		if last.ID != 0 {
			after = last.Cursor()
		}
		return p.changesAfter(filter, after, size)
	})
}

func changeFilterChecks() []check {
	email := asset.Identity{Type: asset.TypeEmail, Canonical: "mail@site.example"}
	fill := func(p *probe) {
		p.set(site(1), asset.StatusBlocked, at(10))
		p.set(site(2), asset.StatusAllowed, at(20))
		p.set(email, asset.StatusBlocked, at(30))
		p.set(site(1), asset.StatusAllowed, at(40))
		p.set(email, asset.StatusUnknown, at(50))
		p.set(site(2), asset.StatusBlocked, at(60))
	}
	micro := time.Microsecond
	tests := []struct {
		reason string
		filter asset.ChangeFilter
		// want are the moments of the changes, in milliseconds.
		want []int
	}{
		{"the zero filter", asset.ChangeFilter{}, []int{60, 50, 40, 30, 20, 10}},
		{"a type", asset.ChangeFilter{Type: asset.TypeEmail}, []int{50, 30}},
		{"a type without changes", asset.ChangeFilter{Type: asset.TypePage}, []int{}},
		{"an asset", asset.ChangeFilter{Identity: site(1)}, []int{40, 10}},
		{"an asset that does not exist", asset.ChangeFilter{Identity: site(3)}, []int{}},
		{"the canonical form of another type", asset.ChangeFilter{Identity: asset.Identity{Type: asset.TypePage, Canonical: site(1).Canonical}}, []int{}},
		{"the canonical form in another letter case", asset.ChangeFilter{Identity: asset.Identity{Type: asset.TypeURL, Canonical: "https://SITE-1.example"}}, []int{}},
		{"a type that the asset does not have", asset.ChangeFilter{Type: asset.TypeEmail, Identity: site(1)}, []int{}},
		{"a status before", asset.ChangeFilter{From: asset.StatusBlocked}, []int{50, 40}},
		{"a status after", asset.ChangeFilter{To: asset.StatusBlocked}, []int{60, 30, 10}},
		{"both statuses", asset.ChangeFilter{From: asset.StatusAllowed, To: asset.StatusBlocked}, []int{60}},
		{"an open end", asset.ChangeFilter{Period: asset.Period{Since: at(30)}}, []int{60, 50, 40, 30}},
		{"an open beginning", asset.ChangeFilter{Period: asset.Period{Before: at(30)}}, []int{20, 10}},
		{"a period, its end not included", asset.ChangeFilter{Period: asset.Period{Since: at(20), Before: at(50)}}, []int{40, 30, 20}},
		{"a period without changes", asset.ChangeFilter{Period: asset.Period{Since: at(21), Before: at(30)}}, []int{}},
		{"a period that begins within a millisecond", asset.ChangeFilter{Period: asset.Period{Since: at(30).Add(micro)}}, []int{60, 50, 40}},
		{"a period that begins at the end of a millisecond", asset.ChangeFilter{Period: asset.Period{Since: at(30).Add(-micro)}}, []int{60, 50, 40, 30}},
		{"a period that ends within a millisecond", asset.ChangeFilter{Period: asset.Period{Before: at(30).Add(micro)}}, []int{30, 20, 10}},
		{"a period that ends at the end of a millisecond", asset.ChangeFilter{Period: asset.Period{Before: at(30).Add(-micro)}}, []int{20, 10}},
		{"a period in another time zone", asset.ChangeFilter{Period: asset.Period{Since: at(40).In(time.FixedZone("", 9*3600))}}, []int{60, 50, 40}},
		{"the range of time.Time", asset.ChangeFilter{Period: asset.Period{Since: time.Unix(-1<<60, 0), Before: time.Unix(1<<63-62135596801, 999_999_999)}}, []int{60, 50, 40, 30, 20, 10}},
		{"the whole calendar", asset.ChangeFilter{Period: asset.Period{Since: firstMoment, Before: lastMoment}}, []int{60, 50, 40, 30, 20, 10}},
		{"all fields", asset.ChangeFilter{
			Type:     asset.TypeURL,
			Identity: site(1),
			From:     asset.StatusBlocked,
			To:       asset.StatusAllowed,
			Period:   asset.Period{Since: at(40), Before: at(41)},
		}, []int{40}},
		{"all fields, one of which does not match", asset.ChangeFilter{
			Type:     asset.TypeURL,
			Identity: site(1),
			From:     asset.StatusBlocked,
			To:       asset.StatusAllowed,
			Period:   asset.Period{Since: at(41), Before: at(60)},
		}, []int{}},
	}
	return []check{
		{"every field restricts the result", func(p *probe) {
			fill(p)
			for _, test := range tests {
				got := p.changes(test.filter)
				moments := make([]int, len(got))
				for i, change := range got {
					moments[i] = int(change.At.Sub(at(0)).Milliseconds())
				}
				require.Equal(p, test.want, moments, test.reason)
			}
		}},
		{"the limit counts the changes that match", func(p *probe) {
			fill(p)
			filter := asset.ChangeFilter{Identity: site(1)}
			whole := p.changes(filter)
			require.Len(p, whole, 2)
			require.Equal(p, whole[:1], p.changesAfter(filter, asset.ChangeCursor{}, 1))
			require.Equal(p, whole[1:], p.changesAfter(filter, whole[0].Cursor(), 1))
		}},
	}
}
