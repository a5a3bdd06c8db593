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
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
)

// The ends of the calendar that RFC 3339 can write.
var (
	firstMoment = time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC)
	lastMoment  = time.Date(9999, time.December, 31, 23, 59, 59, 999_000_000, time.UTC)
)

// moments are whole milliseconds, from the earliest to the latest.
func moments() []time.Time {
	return []time.Time{
		firstMoment,
		firstMoment.Add(time.Millisecond),
		time.Date(1582, time.October, 10, 12, 0, 0, 1_000_000, time.UTC),
		time.Date(1969, time.December, 31, 23, 59, 59, 999_000_000, time.UTC),
		time.Date(1970, time.January, 1, 0, 0, 0, 0, time.UTC),
		time.Date(1970, time.January, 1, 0, 0, 0, 1_000_000, time.UTC),
		time.Date(2024, time.February, 29, 23, 59, 59, 999_000_000, time.UTC),
		time.Date(2024, time.March, 1, 0, 0, 0, 0, time.UTC),
		time.Date(2038, time.January, 19, 3, 14, 8, 0, time.UTC),
		lastMoment.Add(-time.Millisecond),
		lastMoment,
	}
}

// sameMoment requires the same time in UTC. Its message is clearer than that of
// require.Equal for times that print alike.
func (p *probe) sameMoment(want, got time.Time, what string) {
	p.Helper()
	require.True(p, want.Equal(got), "%s: %v came back as %v", what, want, got)
	require.Equal(p, time.UTC, got.Location(), "%s must come back in time.UTC", what)
}

// keepsMoment stores the time in every field of the store that has one, and requires it
// back in UTC.
func (p *probe) keepsMoment(organizationID int64, moment, want time.Time) {
	p.Helper()
	n := int(organizationID)
	p.putOrganization(organizationID, strconv.Itoa(n))
	key := keyOf(strconv.Itoa(n), organizationID, 0)
	key.CreatedAt, key.ExpiresAt = moment, moment
	p.putKey(key)
	p.sameMoment(want, only(p, p.keys(organizationID)).CreatedAt, "the time of a key")
	p.sameMoment(want, only(p, p.keys(organizationID)).ExpiresAt, "the expiry of a new key")
	p.keepsKeyTimes(strconv.Itoa(n), moment, want)

	p.set(site(n), asset.StatusBlocked, moment)
	p.sameMoment(want, only(p, p.changes(asset.ChangeFilter{Identity: site(n)})).At, "the time of a change")
	feed := p.feed(asset.FeedCursor{}, everything)
	p.sameMoment(want, feed[len(feed)-1].Change.At, "the time of a change that is followed")

	a := addCommand(organizationID, n)
	a.At = moment
	p.add(a)
	p.sameMoment(want, only(p, p.entries(organizationID)).AddedAt, "the time of an entry")

	d := disputing(n, "ada@acme.example")
	d.Notes, d.At = systemNotes("note"), moment
	created := p.dispute(d)
	p.sameMoment(want, created.CreatedAt, "the time of a new dispute")
	p.sameMoment(want, created.UpdatedAt, "the update of a new dispute")
	p.sameMoment(want, only(p, created.Notes).CreatedAt, "the time of a new note")
	created = p.disputeByID(created.ID)
	p.sameMoment(want, created.CreatedAt, "the time of a dispute")
	p.sameMoment(want, created.UpdatedAt, "the update of a dispute")
	p.sameMoment(want, only(p, created.Notes).CreatedAt, "the time of a note")
	p.keepsUpdateTimes(created, site(n), moment, want)

	f := filing("report", n)
	f.OrganizationID, f.At = organizationID, moment
	filed := p.file(f)
	p.sameMoment(want, filed.CreatedAt, "the time of a new report")
	p.sameMoment(want, filed.UpdatedAt, "the update of a new report")
	require.True(p, filed.Proposals[0].ReviewedAt.IsZero(), "a new proposal is not reviewed")

	reviewed := p.review(report.Review{ProposalID: filed.Proposals[0].ID, Status: report.ReviewSkip, ReviewedAt: moment})
	for _, r := range []report.Report{reviewed, p.newestReport(organizationID)} {
		p.sameMoment(want, r.CreatedAt, "the time of a report")
		p.sameMoment(want, r.UpdatedAt, "the update of a reviewed report")
		p.sameMoment(want, only(p, r.Proposals).ReviewedAt, "the time of a review")
	}
	p.keepsWithdrawal(filed.Proposals[0], moment, want)
}

// keepsWithdrawal stores the time in every field of a review, and requires it back in UTC.
func (p *probe) keepsWithdrawal(proposal report.Proposal, moment, want time.Time) {
	p.Helper()
	draft := opinion(proposal, report.ReviewApprove, 0)
	draft.ReviewedAt = moment
	reviewed := p.review(draft)
	p.withdraw(withdrawal(reviewed.Proposals[0].ReviewID, moment))
	kept := p.reviewsOf(proposal.ID)
	require.Len(p, kept, 2)
	p.sameMoment(want, kept[0].ReviewedAt, "the time of a kept review")
	p.sameMoment(want, kept[1].ReviewedAt, "the time of a withdrawn review")
	p.sameMoment(want, kept[1].WithdrawnAt, "the time of a withdrawal")
	require.True(p, kept[0].WithdrawnAt.IsZero(), "a review that nobody withdrew")
}

// keepsKeyTimes stores the time in every field of a key, and requires it back in UTC.
func (p *probe) keepsKeyTimes(secret string, moment, want time.Time) {
	p.Helper()
	p.sameMoment(want, p.expire(secret, moment).ExpiresAt, "the new expiry of a key")
	p.sameMoment(want, p.key(secret).ExpiresAt, "the expiry of a key")
	p.recordUse(used(secret, moment))
	p.sameMoment(want, p.key(secret).LastUsedAt, "the last use of a key")
	successor := keyOf("successor of "+secret, 0, 0)
	successor.CreatedAt, successor.ExpiresAt = moment, moment
	revoked, err := p.UpdateKey(p.Context(), account.HashKey(secret), func(old account.Key) (account.KeyUpdate, error) {
		old.RevokedAt = moment
		return account.KeyUpdate{Key: old, Successor: &successor}, nil
	})
	require.NoError(p, err)
	p.sameMoment(want, revoked.RevokedAt, "the time of a new revocation")
	p.sameMoment(want, p.key(secret).RevokedAt, "the time of a revocation")
	p.sameMoment(want, p.key("successor of "+secret).CreatedAt, "the time of a successor")
	p.sameMoment(want, p.key("successor of "+secret).ExpiresAt, "the expiry of a successor")
}

// importKeepsMoments imports each time in every field of a seed that has one.
func importKeepsMoments(p *probe) {
	all := moments()[1:] // in a seed, the zero time is none
	seed := storage.Seed{Organizations: []storage.SeedOrganization{{ID: 1, Slug: "acme"}}}
	for i, moment := range all {
		finer := moment.Add(999_999 * time.Nanosecond).In(time.FixedZone("", -3600))
		seed.Keys = append(seed.Keys, storage.SeedKey{Key: strconv.Itoa(i), Organization: "acme", CreatedAt: finer, ExpiresAt: finer})
		seed.Assets = append(seed.Assets, storage.SeedAsset{Content: seeded(i).Canonical, Status: asset.StatusBlocked, ChangedAt: finer})
		seed.Reports = append(seed.Reports, storage.SeedReport{
			ID:           int64(len(all) - i),
			Organization: "acme",
			CreatedAt:    finer,
			Proposals: []storage.SeedProposal{{
				Content:        seeded(i).Canonical,
				ProposedStatus: asset.StatusBlocked,
				ReviewStatus:   report.ReviewSkip,
				ReviewedAt:     finer,
			}},
		})
	}
	p.doImport(seed)
	keys, changes, reports := p.keys(1), p.changes(asset.ChangeFilter{}), p.reports(1, report.Filter{})
	require.Len(p, keys, len(all))
	require.Len(p, changes, len(all))
	require.Len(p, reports, len(all))
	for i, moment := range all {
		p.sameMoment(moment, keys[i].CreatedAt, "the time of a key")
		p.sameMoment(moment, keys[i].ExpiresAt, "the expiry of a key")
		p.sameMoment(moment, changes[len(all)-1-i].At, "the time of a change")
		p.sameMoment(moment, reports[i].CreatedAt, "the time of a report")
		p.sameMoment(moment, reports[i].UpdatedAt, "the update of a report")
		p.sameMoment(moment, only(p, reports[i].Proposals).ReviewedAt, "the time of a review")
	}
}

func timeChecks() []check {
	return []check{
		{"milliseconds are kept from year 1 to 9999", func(p *probe) {
			for i, moment := range moments() {
				p.keepsMoment(int64(i+1), moment, moment)
			}
		}},
		{"a time in another time zone comes back in UTC", func(p *probe) {
			moment := at(123)
			p.keepsMoment(1, moment.In(time.FixedZone("", 14*3600)), moment)
			p.keepsMoment(2, moment.In(time.FixedZone("", -(11*3600+1800))), moment)
		}},
		{"times are truncated to milliseconds", func(p *probe) {
			p.keepsMoment(1, at(5).Add(999_999*time.Nanosecond), at(5))
			before1970 := time.Date(1960, time.May, 5, 5, 5, 5, 5_000_000, time.UTC)
			p.keepsMoment(2, before1970.Add(999_999*time.Nanosecond), before1970)
		}},
		{"an import keeps milliseconds", importKeepsMoments},
		{"the changelog is ordered and filtered from year 1 to 9999", func(p *probe) {
			all := moments()
			shuffled := slices.Concat(all[5:], all[:5])
			p.block(shuffled...)
			changes := p.changes(asset.ChangeFilter{})
			require.Len(p, changes, len(all))
			for i, change := range changes {
				p.sameMoment(all[len(all)-1-i], change.At, "the time of a change")
			}
			require.Equal(p, changes, p.changesByPages(asset.ChangeFilter{}, 2))
			for i, moment := range all {
				require.Len(p, p.changes(asset.ChangeFilter{Period: asset.Period{Since: moment}}), len(all)-i, "since %v", moment)
				if !moment.IsZero() {
					require.Len(p, p.changes(asset.ChangeFilter{Period: asset.Period{Before: moment}}), i, "before %v", moment)
				}
			}
			after9999 := lastMoment.Add(time.Millisecond)
			require.Len(p, p.changes(asset.ChangeFilter{Period: asset.Period{Before: after9999}}), len(all), "before the year 10000")
			require.Empty(p, p.changes(asset.ChangeFilter{Period: asset.Period{Since: after9999}}), "since the year 10000")
		}},
		{"reports are filtered from year 1 to 9999", func(p *probe) {
			all := moments()
			for _, moment := range all {
				f := filing("report")
				f.At = moment
				p.file(f)
			}
			for i, moment := range all {
				require.Len(p, p.reports(1, report.Filter{Created: asset.Period{Since: moment}}), len(all)-i, "since %v", moment)
				if !moment.IsZero() {
					require.Len(p, p.reports(1, report.Filter{Created: asset.Period{Before: moment}}), i, "before %v", moment)
				}
			}
		}},
		{"a BLOCKED asset and its entry keep their own times", func(p *probe) {
			p.set(site(1), asset.StatusBlocked, at(1))
			a := addCommand(1, 1)
			a.At = at(2)
			p.add(a)
			p.set(site(1), asset.StatusBlocked, at(3))
			require.Equal(p, []allowlist.Entry{{Asset: p.asset(site(1)), Content: site(1).Canonical, AddedAt: at(2)}}, p.entries(1))
		}},
	}
}

// keepsUpdateTimes requires that an update of a dispute of an ALLOWED asset, at that
// moment, stores the wanted times.
func (p *probe) keepsUpdateTimes(d dispute.Dispute, disputed asset.Identity, moment, want time.Time) {
	p.Helper()
	accepted := p.transition(acceptance(d.ID, asset.StatusUnknown, moment))
	noted := p.addNote(comment(d.ID, "note", moment))
	for _, got := range []dispute.Dispute{accepted, noted, p.disputeByID(d.ID)} {
		p.sameMoment(want, got.UpdatedAt, "the time of an update")
		for _, note := range got.Notes {
			p.sameMoment(want, note.CreatedAt, "the time of a note")
		}
	}
	byDispute := asset.ChangeFilter{Identity: disputed, To: asset.StatusUnknown}
	p.sameMoment(want, only(p, p.changes(byDispute)).At, "the time of a change by a dispute")
}
