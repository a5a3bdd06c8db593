package storagetest

import (
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

// createDisputesAt creates disputes of asset 1 at these times, each by another address.
func (p *probe) createDisputesAt(times ...time.Time) {
	p.Helper()
	for i, when := range times {
		d := registeringCommand(1, sites(i)[0])
		d.At = when
		p.dispute(d)
	}
}

// fillDisputes creates disputes 1 to 6, of two assets and three addresses, in all states.
func fillDisputes(p *probe) {
	p.Helper()
	for i, c := range []struct {
		asset    int
		emailKey string
		state    dispute.State
	}{
		{1, "a", dispute.StateOpen},
		{1, "b", dispute.StateRejected},
		{1, "c", dispute.StateWithdrawn},
		{2, "a", dispute.StateAccepted},
		{2, "b", dispute.StateOpen},
		{2, "c", dispute.StateUnderReview},
	} {
		d := registeringCommand(c.asset, "Mail of "+c.emailKey)
		d.EmailKey = c.emailKey
		d.At = at(10 * (i + 1))
		created := p.dispute(d)
		if c.state != dispute.StateOpen {
			p.transition(transition(created.ID, c.state, at(100)))
		}
	}
}

func disputeListChecks() []requirement {
	micro := time.Microsecond
	page := site(1)
	page.Type = asset.TypePage
	open, closed := []dispute.State{dispute.StateOpen}, []dispute.State{dispute.StateWithdrawn, dispute.StateAccepted, dispute.StateRejected}
	filters := []struct {
		reason string
		filter dispute.Filter
		want   []int64
	}{
		{"the zero filter", dispute.Filter{}, []int64{6, 5, 4, 3, 2, 1}},
		{"a state", dispute.Filter{States: open}, []int64{5, 1}},
		{"several states, in any order", dispute.Filter{States: closed}, []int64{4, 3, 2}},
		{"a state given twice", dispute.Filter{States: slices.Concat(open, open)}, []int64{5, 1}},
		{"every state", dispute.Filter{States: dispute.States()}, []int64{6, 5, 4, 3, 2, 1}},
		{"an asset", dispute.Filter{Identity: site(1)}, []int64{3, 2, 1}},
		{"an unregistered asset", dispute.Filter{Identity: site(3)}, []int64{}},
		{"the canonical form of another type", dispute.Filter{Identity: page}, []int64{}},
		{"an asset and a state", dispute.Filter{Identity: site(2), States: open}, []int64{5}},
		{"an asset and several states", dispute.Filter{Identity: site(1), States: closed}, []int64{3, 2}},
		{"an e-mail address in another spelling", dispute.Filter{Email: " A\t"}, []int64{4, 1}},
		{"an e-mail address that is not a key", dispute.Filter{Email: "Mail of a"}, []int64{}},
		{"a blank e-mail address", dispute.Filter{Email: " \t"}, []int64{6, 5, 4, 3, 2, 1}},
		{"an e-mail address and a state", dispute.Filter{Email: "b", States: open}, []int64{5}},
		{"an e-mail address and an asset", dispute.Filter{Email: "b", Identity: site(2)}, []int64{5}},
		{"an e-mail address, an asset and another state", dispute.Filter{Email: "b", Identity: site(2), States: closed}, []int64{}},
		{"an open end", dispute.Filter{Created: asset.Period{Since: at(30)}}, []int64{6, 5, 4, 3}},
		{"an open beginning", dispute.Filter{Created: asset.Period{Before: at(30)}}, []int64{2, 1}},
		{"a period that begins within a millisecond", dispute.Filter{Created: asset.Period{Since: at(30).Add(micro)}}, []int64{6, 5, 4}},
		{"a period that ends within a millisecond", dispute.Filter{Created: asset.Period{Before: at(30).Add(micro)}}, []int64{3, 2, 1}},
		{"all fields", dispute.Filter{
			States:   open,
			Identity: site(2),
			Email:    "B",
			Created:  asset.Period{Since: at(50), Before: at(51)},
		}, []int64{5}},
		{"all fields, one of which does not match", dispute.Filter{
			States:   open,
			Identity: site(2),
			Email:    "B",
			Created:  asset.Period{Since: at(51), Before: at(60)},
		}, []int64{}},
	}
	return []requirement{
		{"an empty store has no disputes", func(p *probe) {
			for _, oldestFirst := range []bool{false, true} {
				require.Empty(p, p.disputes(dispute.ListRequest{OldestFirst: oldestFirst, Limit: 10}))
				require.Empty(p, p.disputes(dispute.ListRequest{Filter: dispute.Filter{States: dispute.States()}, OldestFirst: oldestFirst, Limit: 10}))
			}
		}},
		{"a listed dispute has every field except its description and notes", func(p *probe) {
			d := registeringCommand(1, "Ada@Acme.example")
			d.Content, d.Description, d.Notes = "HTTPS://SITE-1.example", "It is ours.", systemNotes("note")
			want := p.dispute(d)
			want.Description, want.Notes = "", nil
			require.Equal(p, []dispute.Dispute{want}, p.allDisputes(dispute.Filter{}))

			want = p.transition(transition(want.ID, dispute.StateUnderReview, at(9)))
			require.Equal(p, "It is ours.", want.Description)
			want.Description, want.Notes = "", nil
			require.Equal(p, []dispute.Dispute{want}, p.allDisputes(dispute.Filter{States: []dispute.State{dispute.StateUnderReview}}))
		}},
		{"disputes are ordered by time, not in the order of creation", func(p *probe) {
			p.createDisputesAt(at(30), at(10), at(50), at(20), at(40))
			require.Equal(p, sites(2, 4, 0, 3, 1), emails(p.allDisputes(dispute.Filter{})))
			require.Equal(p, sites(1, 3, 0, 4, 2), emails(p.disputes(dispute.ListRequest{OldestFirst: true, Limit: 10})))
		}},
		{"disputes of one millisecond are ordered by ID", func(p *probe) {
			p.createDisputesAt(at(5), at(5), at(4), at(5))
			require.Equal(p, sites(3, 1, 0, 2), emails(p.allDisputes(dispute.Filter{})))
			require.Equal(p, sites(2, 0, 1, 3), emails(p.disputes(dispute.ListRequest{OldestFirst: true, Limit: 10})))
		}},
		{"a transition does not change the order of the list", func(p *probe) {
			p.createDisputesAt(at(10), at(20), at(30))
			p.transition(transition(1, dispute.StateRejected, at(1000)))
			require.Equal(p, sites(2, 1, 0), emails(p.allDisputes(dispute.Filter{})))
		}},
		{"every field of the filter restricts the list", func(p *probe) {
			fillDisputes(p)
			for _, test := range filters {
				require.Equal(p, test.want, disputeIDs(p.allDisputes(test.filter)), test.reason)
				slices.Reverse(test.want)
				oldest := p.disputes(dispute.ListRequest{Filter: test.filter, OldestFirst: true, Limit: noLimit})
				require.Equal(p, test.want, disputeIDs(oldest), "%s, oldest first", test.reason)
				slices.Reverse(test.want)
			}
		}},
		{"pages of every size return the whole list", func(p *probe) {
			fillDisputes(p)
			p.createDisputesAt(at(20), at(20), at(20), at(30))
			for _, filter := range []dispute.Filter{
				{}, {States: closed}, {States: dispute.States()}, {Identity: site(1)}, {Identity: site(1), States: dispute.States()},
				{Email: "a"}, {Email: "b", States: closed},
			} {
				for _, oldestFirst := range []bool{false, true} {
					req := dispute.ListRequest{Filter: filter, OldestFirst: oldestFirst, Limit: noLimit}
					whole := p.disputes(req)
					for size := 1; size <= len(whole)+1; size++ {
						require.Equal(p, whole, p.disputesByPages(req, size), "pages of %d with %+v must return the whole list", size, req)
					}
				}
			}
		}},
		{"a cursor may be between disputes", func(p *probe) {
			p.createDisputesAt(at(10), at(20), at(20), at(30))
			for _, test := range []struct {
				reason         string
				after          dispute.Cursor
				newest, oldest []string
			}{
				{"before the first time", dispute.Cursor{At: at(5), ID: 1}, sites(), sites(0, 1, 2, 3)},
				{"between two times", dispute.Cursor{At: at(25), ID: 1}, sites(2, 1, 0), sites(3)},
				{"at a time, above its IDs", dispute.Cursor{At: at(20), ID: asset.MaxID}, sites(2, 1, 0), sites(3)},
				{"at a time, below its IDs", dispute.Cursor{At: at(20), ID: 1}, sites(0), sites(1, 2, 3)},
				{"a time without an ID", dispute.Cursor{At: at(20)}, sites(0), sites(1, 2, 3)},
				{"between two milliseconds", dispute.Cursor{At: at(20).Add(micro), ID: 1}, sites(2, 1, 0), sites(3)},
				{"after the last time", dispute.Cursor{At: at(1000), ID: 1}, sites(3, 2, 1, 0), sites()},
			} {
				for _, filter := range []dispute.Filter{{}, {States: dispute.States()}} {
					req := dispute.ListRequest{Filter: filter, Cursor: test.after, Limit: 10}
					require.Equal(p, test.newest, emails(p.disputes(req)), test.reason)
					req.OldestFirst = true
					require.Equal(p, test.oldest, emails(p.disputes(req)), "%s, oldest first", test.reason)
				}
			}
		}},
		{"a filter that matches one dispute combines with a cursor and a period", func(p *probe) {
			d := registeringCommand(1, "a")
			d.At = at(20)
			want := []int64{p.dispute(d).ID}
			one := dispute.Filter{Identity: site(1), Email: "a"}
			for _, when := range []int{10, 20, 30} {
				req := dispute.ListRequest{Filter: one, Cursor: dispute.Cursor{At: at(when), ID: want[0]}, Limit: 1}
				require.Equal(p, when > 20, len(p.disputes(req)) > 0, "after %d", when)
				req.OldestFirst = true
				require.Equal(p, when < 20, len(p.disputes(req)) > 0, "after %d, oldest first", when)
				one.Created = asset.Period{Since: at(when), Before: at(when + 1)}
				require.Equal(p, when == 20, len(p.allDisputes(one)) > 0, "in millisecond %d", when)
				one.Created = asset.Period{}
			}
			require.Equal(p, want, disputeIDs(p.allDisputes(one)))
		}},
		{"disputes are ordered and filtered from year 1 to 9999", func(p *probe) {
			all := sampleTimes()
			p.createDisputesAt(slices.Concat(all[5:], all[:5])...)
			oldest := dispute.ListRequest{OldestFirst: true, Limit: noLimit}
			for i, d := range p.disputes(oldest) {
				p.sameTime(all[i], d.CreatedAt, "the time of a listed dispute")
				p.sameTime(all[i], d.UpdatedAt, "the update of a listed dispute")
			}
			require.Equal(p, p.disputes(oldest), p.disputesByPages(oldest, 1))
			newest := dispute.ListRequest{Limit: noLimit}
			require.Equal(p, p.disputes(newest), p.disputesByPages(newest, 1))
			for i, when := range all {
				require.Len(p, p.allDisputes(dispute.Filter{Created: asset.Period{Since: when}}), len(all)-i, "since %v", when)
				if !when.IsZero() {
					require.Len(p, p.allDisputes(dispute.Filter{Created: asset.Period{Before: when}}), i, "before %v", when)
				}
			}
		}},
		{"e-mail keys are compared byte by byte", func(p *probe) {
			p.set(site(1), asset.StatusBlocked, at(0))
			var keys []string
			for _, text := range differentTexts {
				d := disputeCommand(1, text)
				if d.EmailKey = account.EmailKey(text); slices.Contains(keys, d.EmailKey) {
					continue
				}
				keys = append(keys, d.EmailKey)
				created := p.dispute(d)
				require.Equal(p, []int64{created.ID}, disputeIDs(p.allDisputes(dispute.Filter{Email: text})), "e-mail key %q", text)
			}
		}},
	}
}

// disputesByPages reads the whole list in pages of the given size.
func (p *probe) disputesByPages(req dispute.ListRequest, size int) []dispute.Dispute {
	p.Helper()
	req.Limit = size
	return allPages(p, size, func(last dispute.Dispute) asset.Page[dispute.Dispute] {
		if last.ID != 0 {
			req.Cursor = last.Cursor()
		}
		return p.disputePage(req)
	})
}
