package storagetest

import (
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
)

func allowlistFilterChecks() []requirement {
	return []requirement{
		{"every filter of entries agrees with Filter.Match", func(p *probe) {
			mine, others := p.newGroup(1, "mine"), p.newGroup(2, "others")
			cmd := addCommand(1, numbersTo(12)...)
			for i := range cmd.Entries {
				cmd.Entries[i].GroupID = []int64{0, mine, others}[i%3]
				cmd.Entries[i].Content = "another text"
			}
			p.add(cmd)
			p.add(addCommand(2, 1, 20))
			p.setStatuses(statusesCommand(at(1), asset.StatusBlocked, 0, 1, 5))
			p.setStatuses(statusesCommand(at(1), asset.StatusUnknown, 2, 3, 11))
			all := p.entries(1)
			require.Len(p, all, 12)
			for _, status := range append(asset.Statuses(), "") {
				for _, group := range []int64{0, mine, others, 998} {
					for _, prefix := range []string{"", "https://site-1", "https://site-1.example", "HTTPS://site-1", "%", "another"} {
						filter := allowlist.Filter{Status: status, GroupID: group, Prefix: prefix}
						want := slices.DeleteFunc(slices.Clone(all), func(e allowlist.Entry) bool { return !filter.Match(e) })
						got := p.filtered(allowlist.ListRequest{OrganizationID: 1, Filter: filter, Limit: noLimit})
						require.Equal(p, orNil(want), orNil(got.Entries), "filter %+v", filter)
						require.Zero(p, got.NextCursor)
						if len(want) > 1 {
							first := p.filtered(allowlist.ListRequest{OrganizationID: 1, Filter: filter, Limit: 1})
							require.Equal(p, allowlist.Page{Entries: want[:1], NextCursor: want[0].Asset.ID}, first)
						}
					}
				}
			}
		}},
		{"filters of the time include the first and not the last, and may lie within a millisecond", func(p *probe) {
			for n := range 4 {
				cmd := addCommand(1, n)
				cmd.At = at(n)
				p.add(cmd)
			}
			all := p.entries(1)
			times := []time.Time{{}, minTime, at(0), at(1).Add(-time.Nanosecond), at(1), at(1).Add(time.Nanosecond), at(3), at(9), maxTime}
			for _, since := range times {
				for _, before := range times {
					filter := allowlist.Filter{AddedSince: since, AddedBefore: before}
					want := slices.DeleteFunc(slices.Clone(all), func(e allowlist.Entry) bool { return !filter.Match(e) })
					got := p.filtered(allowlist.ListRequest{OrganizationID: 1, Filter: filter, Limit: noLimit})
					require.Equal(p, orNil(want), orNil(got.Entries), "filter %+v", filter)
				}
			}
			between := allowlist.Filter{AddedSince: at(1), AddedBefore: at(3)}
			require.Len(p, p.filtered(allowlist.ListRequest{OrganizationID: 1, Filter: between, Limit: noLimit}).Entries, 2)
		}},
		{"a page with a filter examines 10,000 entries", scannedEntries},
	}
}

// scannedEntries adds one entry more than a page examines.
func scannedEntries(p *probe) {
	const n = allowlist.MaxScan + 1
	numbers := numbersTo(n)
	for part := range slices.Chunk(numbers, allowlist.MaxItems) {
		p.add(addCommand(1, part...))
	}
	ids := make([]int64, 0, n)
	for _, entry := range p.entries(1) {
		ids = append(ids, entry.Asset.ID)
	}
	require.Len(p, ids, n)
	none := allowlist.ListRequest{OrganizationID: 1, Filter: allowlist.Filter{Prefix: "none"}, Limit: 10}
	page := p.filtered(none)
	require.Empty(p, page.Entries)
	require.Equal(p, ids[allowlist.MaxScan-1], page.NextCursor)
	none.Cursor = page.NextCursor
	require.Zero(p, p.filtered(none))
	none.Cursor = ids[0]
	require.Zero(p, p.filtered(none), "exactly as many entries as a page examines")

	last := p.entriesAfter(1, ids[n-2], 1).Items[0]
	page = p.filtered(allowlist.ListRequest{OrganizationID: 1, Filter: allowlist.Filter{Prefix: last.Asset.Canonical}, Limit: 10})
	require.Empty(p, page.Entries, "the entry after those that are examined")
	page = p.filtered(allowlist.ListRequest{OrganizationID: 1, Filter: allowlist.Filter{Prefix: "https"}, Limit: 3})
	require.Len(p, page.Entries, 3)
	require.Equal(p, ids[2], page.NextCursor, "a full page continues after its last entry")
}
