package storagetest

import (
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/pending"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/webhook"
)

// fill stores records of every kind.
func (p *probe) fill() {
	p.Helper()
	p.putOrganization(1, "acme")
	p.putUser(account.User{ID: 1, FullName: "Ada", Email: "ada@acme.example"})
	p.putKey(newKey("key", 1, 1, account.Scopes()...))
	p.newGroup(1, "Sites")
	p.set(site(1), asset.StatusAllowed, at(-10))
	p.add(addCommand(1, 2))
	p.add(endingCommand(1, at(30), 5))
	p.set(site(1), asset.StatusBlocked, at(0)) // after the others, as it may use up an ID
	p.dispute(disputeCommand(1, "ada@acme.example"))
	f := fileCommand("report", 2, 1, 4)
	f.ReporterID = 1
	filed := p.file(f)
	p.review(reviewOf(filed.Proposals[2], report.ReviewApprove, 1))
	list := p.addLists("one", "two")[0]
	p.decideEntries(decideCommand(list, at(2), asset.StatusBlocked, 2, 6, 7))
	p.addEndpoint(newEndpoint("https://one.example"))
	p.addEndpoint(dueEndpoint(at(1)))
	p.addAct(actCommand(9))
}

// snapshot has all records that fill and the operations write.
type snapshot struct {
	organizations []account.Organization
	key           account.KeyRecord
	keys          []account.Key
	groups        []account.Group
	assets        map[asset.Identity]asset.Asset
	changes       []asset.Change
	entries       []allowlist.Entry
	disputes      []dispute.Dispute
	reports       []report.Report
	reviews       []report.Review
	lists         []lists.List
	listEntries   []lists.HeldEntry
	endpoints     []webhook.Endpoint
	acts          []pending.Act
	audit         []audit.Entry
}

func (p *probe) snapshot() snapshot {
	p.Helper()
	s := snapshot{
		organizations: p.organizations(0, noLimit),
		keys:          p.keys(1),
		groups:        p.groups(1),
		assets:        make(map[asset.Identity]asset.Asset),
		changes:       p.changes(asset.ChangeFilter{}),
		entries:       p.entries(1),
		reports:       p.reports(1, report.Filter{}),
		lists:         p.lists(),
		listEntries:   p.listEntries(1),
		endpoints:     p.endpoints(),
		acts:          p.acts("", at(0)),
		audit:         p.auditTrail(),
	}
	for _, r := range s.reports {
		for _, proposal := range r.Proposals {
			s.reviews = append(s.reviews, p.reviewsOf(proposal.ID)...)
		}
	}
	for n := range 5 {
		if got, err := asset.NewService(p, asset.Options{}).Get(p.Context(), site(n)); p.found(err, asset.ErrNotFound) {
			s.assets[site(n)] = got
		}
	}
	for id := int64(1); id < 5; id++ {
		if got, err := p.DisputeByID(p.Context(), id); p.found(err, dispute.ErrNotFound) {
			s.disputes = append(s.disputes, got)
		}
	}
	if record, err := p.KeyByHash(p.Context(), account.HashKey("key")); p.found(err, account.ErrUnknownKey) {
		s.key = record
	}
	return s
}

// found reports whether a lookup found a record. It fails the test on any error other than
// notFound.
func (p *probe) found(err, notFound error) bool {
	p.Helper()
	if err != nil {
		require.ErrorIs(p, err, notFound, "the error of a lookup that finds no record")
	}
	return err == nil
}
