package storagetest

import (
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

func changeFilterChecks() []requirement {
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
		// want are the times of the changes, in milliseconds.
		want []int
	}{
		{"the zero filter", asset.ChangeFilter{}, []int{60, 50, 40, 30, 20, 10}},
		{"a type", asset.ChangeFilter{Type: asset.TypeEmail}, []int{50, 30}},
		{"a type without changes", asset.ChangeFilter{Type: asset.TypePage}, []int{}},
		{"an asset", asset.ChangeFilter{Identity: site(1)}, []int{40, 10}},
		{"an unregistered asset", asset.ChangeFilter{Identity: site(3)}, []int{}},
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
		{"the whole calendar", asset.ChangeFilter{Period: asset.Period{Since: minTime, Before: maxTime}}, []int{60, 50, 40, 30, 20, 10}},
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
	return []requirement{
		{"every field of the filter restricts the list", func(p *probe) {
			fill(p)
			for _, test := range tests {
				got := p.changes(test.filter)
				times := make([]int, len(got))
				for i, change := range got {
					times[i] = int(change.At.Sub(at(0)).Milliseconds())
				}
				require.Equal(p, test.want, times, test.reason)
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
