package storagetest

import (
	"slices"
	"strconv"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/webhook"
)

// The range of RFC 3339.
var (
	minTime = time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC)
	maxTime = time.Date(9999, time.December, 31, 23, 59, 59, 999_000_000, time.UTC)
)

// sampleTimes returns times in whole milliseconds, from the earliest to the latest.
func sampleTimes() []time.Time {
	return []time.Time{
		minTime,
		minTime.Add(time.Millisecond),
		time.Date(1582, time.October, 10, 12, 0, 0, 1_000_000, time.UTC),
		time.Date(1969, time.December, 31, 23, 59, 59, 999_000_000, time.UTC),
		time.Date(1970, time.January, 1, 0, 0, 0, 0, time.UTC),
		time.Date(1970, time.January, 1, 0, 0, 0, 1_000_000, time.UTC),
		time.Date(2024, time.February, 29, 23, 59, 59, 999_000_000, time.UTC),
		time.Date(2024, time.March, 1, 0, 0, 0, 0, time.UTC),
		time.Date(2038, time.January, 19, 3, 14, 8, 0, time.UTC),
		maxTime.Add(-time.Millisecond),
		maxTime,
	}
}

// sameTime requires the same time in UTC. Its message is clearer than that of
// require.Equal if both times print the same.
func (p *probe) sameTime(want, got time.Time, what string) {
	p.Helper()
	require.True(p, want.Equal(got), "%s must be returned as %v, not %v", what, want, got)
	require.Equal(p, time.UTC, got.Location(), "%s must be returned in time.UTC", what)
}

// storesTime stores a time in every field for times. It requires that the store returns
// want in UTC.
func (p *probe) storesTime(organizationID int64, when, want time.Time) {
	p.Helper()
	n := int(organizationID)
	p.putOrganization(organizationID, strconv.Itoa(n))
	key := newKey(strconv.Itoa(n), organizationID, 0)
	key.CreatedAt, key.ExpiresAt = when, when
	p.putKey(key)
	p.sameTime(want, only(p, p.keys(organizationID)).CreatedAt, "the time of a key")
	p.sameTime(want, only(p, p.keys(organizationID)).ExpiresAt, "the expiry of a new key")
	p.storesKeyTimes(strconv.Itoa(n), when, want)

	p.set(site(n), asset.StatusBlocked, when)
	p.sameTime(want, only(p, p.changes(asset.ChangeFilter{Identity: site(n)})).At, "the time of a change")
	for _, listed := range p.list(asset.Filter{}) {
		if listed.Identity == site(n) {
			p.sameTime(want, listed.UpdatedAt, "the time of a listed asset")
		}
	}
	feed := p.feed(asset.FeedCursor{}, noLimit)
	p.sameTime(want, feed[len(feed)-1].Change.At, "the time of a change in the feed")

	p.setStatuses(statusesCommand(when, asset.StatusAllowed, n))
	p.sameTime(want, p.changes(asset.ChangeFilter{Identity: site(n)})[0].At, "the time of a change by SetAssetStatuses")

	ending := statusesCommand(minTime, asset.StatusBlocked, n)
	ending.Items[0].ExpiresAt, ending.ReviewAt = when, when
	p.setStatuses(ending)
	p.storesDecisionTimes(p.held(site(n), when).Operators, want)
	for _, due := range p.dueBefore(maxTime) {
		if due.Identity == site(n) {
			p.storesDecisionTimes(&due.Decision, want)
		}
	}

	undecided := n + 100 // an entry is not before a decision
	a := addCommand(organizationID, undecided)
	a.At = when
	p.add(a)
	p.sameTime(want, only(p, p.entries(organizationID)).AddedAt, "the time of an entry")

	require.NoError(p, p.setEntryExpiry(organizationID, p.asset(site(undecided)).ID, when, minTime))
	p.sameTime(want, only(p, p.entries(organizationID)).ExpiresAt, "the expiry of an entry")

	d := disputeCommand(n, "ada@acme.example")
	d.Notes, d.At = systemNotes("note"), when
	created := p.dispute(d)
	p.sameTime(want, created.CreatedAt, "the time of a new dispute")
	p.sameTime(want, created.UpdatedAt, "the update of a new dispute")
	p.sameTime(want, only(p, created.Notes).CreatedAt, "the time of a new note")
	created = p.disputeByID(created.ID)
	p.sameTime(want, created.CreatedAt, "the time of a dispute")
	p.sameTime(want, created.UpdatedAt, "the update of a dispute")
	p.sameTime(want, only(p, created.Notes).CreatedAt, "the time of a note")
	p.storesUpdateTimes(created, site(n), when, want)

	f := fileCommand("report", n)
	f.OrganizationID, f.At = organizationID, when
	filed := p.file(f)
	p.sameTime(want, filed.CreatedAt, "the time of a new report")
	p.sameTime(want, filed.UpdatedAt, "the update of a new report")
	require.True(p, filed.Proposals[0].ReviewedAt.IsZero(), "ReviewedAt of a new proposal must be the zero time")

	reviewed := p.review(report.Review{ProposalID: filed.Proposals[0].ID, Status: report.ReviewSkip, ReviewedAt: when})
	for _, r := range []report.Report{reviewed, p.newestReport(organizationID)} {
		p.sameTime(want, r.CreatedAt, "the time of a report")
		p.sameTime(want, r.UpdatedAt, "the update of a reviewed report")
		p.sameTime(want, only(p, r.Proposals).ReviewedAt, "the time of a review")
	}
	p.storesWithdrawalTimes(filed.Proposals[0], when, want)
	p.storesEndpointTimes(when, want)
	p.storesListTimes(n, when, want)
}

func (p *probe) storesDecisionTimes(decision *asset.Decision, want time.Time) {
	p.Helper()
	p.sameTime(want, decision.ExpiresAt, "the end of a decision")
	p.sameTime(want, decision.ReviewAt, "the review of a decision")
}

// storesListTimes is storesTime for the fields of a list and of what it holds.
func (p *probe) storesListTimes(n int, when, want time.Time) {
	p.Helper()
	change := func(l *lists.List) { l.CreatedAt, l.SyncedAt, l.FailedAt, l.NextAt = when, when, when, when }
	name := strconv.Itoa(n)
	given := newList(name)
	change(&given)
	for _, stored := range [][]lists.List{{p.addList(given)}, p.lists()} {
		list := find(stored, func(l lists.List) bool { return l.Name == name })
		p.sameTime(want, list.CreatedAt, "the time of a list")
		p.sameTime(want, list.SyncedAt, "the time of a sync")
		p.sameTime(want, list.FailedAt, "the time of a failure")
		p.sameTime(want, list.NextAt, "the time of the next fetch")
	}
	none := p.putList(name, func(l *lists.List) { l.SyncedAt, l.FailedAt, l.NextAt = time.Time{}, time.Time{}, time.Time{} })
	require.True(p, none.SyncedAt.IsZero() && none.FailedAt.IsZero() && none.NextAt.IsZero(), "a list without a sync must have zero times")
	p.sameTime(want, p.putList(name, change).SyncedAt, "the time of a later sync")

	decided := n + 200
	decide := decideCommand(none, when, asset.StatusBlocked, decided)
	decide.Entries[0].Decision.ExpiresAt = when
	p.decideEntries(decide)
	held := only(p, p.held(site(decided), when).Lists)
	p.sameTime(want, held.Since, "the time of the decision of a list")
	p.sameTime(want, held.ExpiresAt, "the end of the decision of a list")
	entry := only(p, p.listEntries(none.ID))
	p.sameTime(want, entry.Decision.ExpiresAt, "the end of an entry of a list")
	p.sameTime(want, entry.Decision.Since, "the time of an entry of a list")
	p.sameTime(want, p.changes(asset.ChangeFilter{Identity: site(decided)})[0].At, "the time of a change by a list")
	p.withdrawEntries(endCommand(none, when, entry.ID))
	p.sameTime(want, p.changes(asset.ChangeFilter{Identity: site(decided), To: asset.StatusUnknown})[0].At, "the time of a withdrawal by a list")
}

// storesEndpointTimes is storesTime for the fields of an endpoint.
func (p *probe) storesEndpointTimes(when, want time.Time) {
	p.Helper()
	given := newEndpoint("https://times.example")
	given.CreatedAt = when
	change := func(e *webhook.Endpoint) {
		e.OldSecretUntil, e.FailingSince, e.LastAt, e.LastSuccessAt, e.DueAt = when, when, when, when, when
	}
	changed := given
	change(&changed)
	id := p.addEndpoint(given).ID
	for _, e := range []webhook.Endpoint{p.addEndpoint(changed), p.updateEndpoint(id, change), p.endpoint(id)} {
		p.sameTime(want, e.CreatedAt, "the time of an endpoint")
		p.sameTime(want, e.OldSecretUntil, "the end of a rotation")
		p.sameTime(want, e.FailingSince, "the time of the first failure")
		p.sameTime(want, e.LastAt, "the time of the last request")
		p.sameTime(want, e.LastSuccessAt, "the time of the last success")
		p.sameTime(want, e.DueAt, "the time at which an endpoint is due")
	}
}

// storesWithdrawalTimes is storesTime for the fields of a withdrawn review.
func (p *probe) storesWithdrawalTimes(proposal report.Proposal, when, want time.Time) {
	p.Helper()
	draft := reviewOf(proposal, report.ReviewApprove, 0)
	draft.ReviewedAt = when
	reviewed := p.review(draft)
	p.withdraw(withdrawCommand(reviewed.Proposals[0].ReviewID, when))
	stored := p.reviewsOf(proposal.ID)
	require.Len(p, stored, 2, "both reviews must be stored")
	p.sameTime(want, stored[0].ReviewedAt, "the time of a review")
	p.sameTime(want, stored[1].ReviewedAt, "the time of a withdrawn review")
	p.sameTime(want, stored[1].WithdrawnAt, "the time of a withdrawal")
	require.True(p, stored[0].WithdrawnAt.IsZero(), "WithdrawnAt of a review that is not withdrawn must be the zero time")
}

// storesKeyTimes is storesTime for the fields of a key that change.
func (p *probe) storesKeyTimes(secret string, when, want time.Time) {
	p.Helper()
	p.sameTime(want, p.expire(secret, when).ExpiresAt, "the new expiry of a key")
	p.sameTime(want, p.key(secret).ExpiresAt, "the expiry of a key")
	p.recordUse(keyUse(secret, when))
	p.sameTime(want, p.key(secret).LastUsedAt, "the last use of a key")
	successor := newKey("successor of "+secret, 0, 0)
	successor.CreatedAt, successor.ExpiresAt = when, when
	revoked, err := p.UpdateKey(p.Context(), account.HashKey(secret), func(old account.Key) (account.KeyUpdate, error) {
		old.RevokedAt = when
		return account.KeyUpdate{Key: old, Successor: &successor}, nil
	})
	require.NoError(p, err)
	p.sameTime(want, revoked.RevokedAt, "the time of a new revocation")
	p.sameTime(want, p.key(secret).RevokedAt, "the time of a revocation")
	p.sameTime(want, p.key("successor of "+secret).CreatedAt, "the time of a successor")
	p.sameTime(want, p.key("successor of "+secret).ExpiresAt, "the expiry of a successor")
}

// importStoresTimes imports times in every field of a seed for times.
func importStoresTimes(p *probe) {
	all := sampleTimes()[1:] // the zero time means none in a seed
	seed := storage.Seed{Organizations: []storage.SeedOrganization{{ID: 1, Slug: "acme"}}}
	for i, when := range all {
		finer := when.Add(999_999 * time.Nanosecond).In(time.FixedZone("", -3600))
		seed.Keys = append(seed.Keys, storage.SeedKey{Key: strconv.Itoa(i), Organization: "acme", CreatedAt: finer, ExpiresAt: finer})
		seed.Assets = append(seed.Assets, storage.SeedAsset{Content: seedSite(i).Canonical, Status: asset.StatusBlocked, ChangedAt: finer})
		seed.Reports = append(seed.Reports, storage.SeedReport{
			ID:           int64(len(all) - i),
			Organization: "acme",
			CreatedAt:    finer,
			Proposals: []storage.SeedProposal{{
				Content:        seedSite(i).Canonical,
				ProposedStatus: asset.StatusBlocked,
				ReviewStatus:   report.ReviewSkip,
				ReviewedAt:     finer,
			}},
		})
	}
	p.importSeed(seed)
	keys, changes, reports := p.keys(1), p.changes(asset.ChangeFilter{}), p.reports(1, report.Filter{})
	require.Len(p, keys, len(all))
	require.Len(p, changes, len(all))
	require.Len(p, reports, len(all))
	for i, when := range all {
		p.sameTime(when, keys[i].CreatedAt, "the time of a key")
		p.sameTime(when, keys[i].ExpiresAt, "the expiry of a key")
		p.sameTime(when, changes[len(all)-1-i].At, "the time of a change")
		p.sameTime(when, reports[i].CreatedAt, "the time of a report")
		p.sameTime(when, reports[i].UpdatedAt, "the update of a report")
		p.sameTime(when, only(p, reports[i].Proposals).ReviewedAt, "the time of a review")
	}
}

func timeChecks() []requirement {
	return []requirement{
		{"milliseconds are stored from year 1 to 9999", func(p *probe) {
			for i, when := range sampleTimes() {
				p.storesTime(int64(i+1), when, when)
			}
		}},
		{"a time in another time zone is returned in UTC", func(p *probe) {
			when := at(123)
			p.storesTime(1, when.In(time.FixedZone("", 14*3600)), when)
			p.storesTime(2, when.In(time.FixedZone("", -(11*3600+1800))), when)
		}},
		{"times are truncated to milliseconds", func(p *probe) {
			p.storesTime(1, at(5).Add(999_999*time.Nanosecond), at(5))
			before1970 := time.Date(1960, time.May, 5, 5, 5, 5, 5_000_000, time.UTC)
			p.storesTime(2, before1970.Add(999_999*time.Nanosecond), before1970)
		}},
		{"an import stores milliseconds", importStoresTimes},
		{"the changelog is ordered and filtered from year 1 to 9999", func(p *probe) {
			all := sampleTimes()
			shuffled := slices.Concat(all[5:], all[:5])
			p.block(shuffled...)
			changes := p.changes(asset.ChangeFilter{})
			require.Len(p, changes, len(all))
			for i, change := range changes {
				p.sameTime(all[len(all)-1-i], change.At, "the time of a change")
			}
			require.Equal(p, changes, p.changesByPages(asset.ChangeFilter{}, 2))
			for i, when := range all {
				require.Len(p, p.changes(asset.ChangeFilter{Period: asset.Period{Since: when}}), len(all)-i, "since %v", when)
				if !when.IsZero() {
					require.Len(p, p.changes(asset.ChangeFilter{Period: asset.Period{Before: when}}), i, "before %v", when)
				}
			}
			everything := asset.Period{Since: time.Unix(-1<<60, 0), Before: time.Unix(1<<63-62135596801, 999_999_999)}
			require.Len(p, p.changes(asset.ChangeFilter{Period: everything}), len(all), "the range of time.Time")
			after9999 := maxTime.Add(time.Millisecond)
			require.Len(p, p.changes(asset.ChangeFilter{Period: asset.Period{Before: after9999}}), len(all), "before the year 10000")
			require.Empty(p, p.changes(asset.ChangeFilter{Period: asset.Period{Since: after9999}}), "since the year 10000")
		}},
		{"reports are filtered from year 1 to 9999", func(p *probe) {
			all := sampleTimes()
			for _, when := range all {
				f := fileCommand("report")
				f.At = when
				p.file(f)
			}
			for i, when := range all {
				require.Len(p, p.reports(1, report.Filter{Created: asset.Period{Since: when}}), len(all)-i, "since %v", when)
				if !when.IsZero() {
					require.Len(p, p.reports(1, report.Filter{Created: asset.Period{Before: when}}), i, "before %v", when)
				}
			}
		}},
		{"AddedAt of an allowlist entry is the time of its addition", func(p *probe) {
			p.set(site(1), asset.StatusBlocked, at(1))
			a := addCommand(1, 1)
			a.At = at(2)
			p.add(a)
			p.set(site(1), asset.StatusBlocked, at(3))
			require.Equal(p, []allowlist.Entry{{Asset: p.asset(site(1)), Content: site(1).Canonical, AddedAt: at(2)}}, p.entries(1))
		}},
	}
}

// storesUpdateTimes is storesTime for updates of a dispute. Its asset must be ALLOWED.
func (p *probe) storesUpdateTimes(d dispute.Dispute, disputed asset.Identity, when, want time.Time) {
	p.Helper()
	accepted := p.transition(acceptance(d.ID, asset.StatusUnknown, when))
	noted := p.addNote(noteCommand(d.ID, "note", when))
	for _, got := range []dispute.Dispute{accepted, noted, p.disputeByID(d.ID)} {
		p.sameTime(want, got.UpdatedAt, "the time of an update")
		for _, note := range got.Notes {
			p.sameTime(want, note.CreatedAt, "the time of a note")
		}
	}
	byDispute := asset.ChangeFilter{Identity: disputed, To: asset.StatusUnknown}
	p.sameTime(want, only(p, p.changes(byDispute)).At, "the time of a change by a dispute")
}
