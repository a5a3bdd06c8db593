package storage

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/step"
)

// Records is a validated [Seed] in the form that a store writes. Assets are
// classified, keys are hashed, and every record has its identifier.
type Records struct {
	Organizations []account.Organization
	Groups        []account.Group
	Users         []account.User
	Keys          []account.Key
	Assets        []asset.Held
	Changes       []asset.Change
	Reports       []report.Report
	// Reviews has the review of each proposal that has one.
	Reviews []report.Review
	// Audit is that of the seed, or zero if the seed is empty.
	Audit audit.Entry
}

// Records validates the seed and converts it to the records to store.
//
// The error is an [*asset.InputError] that names every invalid field, such as
// "reports[0].proposals[2].content".
func (s Seed) Records() (Records, error) {
	b := recordBuilder{
		organizations: make(map[string]int64),
		used:          make(map[any]string),
		assets:        make(map[asset.Identity]int),
	}
	each("organizations", s.Organizations, b.organization)
	each("users", s.Users, b.user)
	each("keys", s.Keys, b.key)
	each("assets", s.Assets, b.asset)
	each("reports", s.Reports, b.report)
	if err := b.issues.Err(); err != nil {
		return Records{}, err
	}
	if s.filled() {
		b.records.Audit = s.Audit
	}
	return b.records, nil
}

// filled reports whether the seed has any record.
func (s Seed) filled() bool {
	return len(s.Organizations)+len(s.Users)+len(s.Keys)+len(s.Assets)+len(s.Reports) > 0
}

// each calls add with every element and its path.
func each[T any](list string, elements []T, add func(path string, element T)) {
	for i, element := range elements {
		add(fmt.Sprintf("%s[%d]", list, i), element)
	}
}

// recordBuilder turns the parts of a seed into records, one after the other.
type recordBuilder struct {
	records Records
	issues  asset.Issues
	// organizations maps slugs to identifiers.
	organizations map[string]int64
	// used maps what must be unique to the place that has it.
	used map[any]string
	// assets maps identities to places in records.Assets.
	assets    map[asset.Identity]int
	proposals int64
}

// The keys of recordBuilder.used.
type (
	organizationID int64
	slug           string
	groupID        int64
	userID         int64
	keyHash        [32]byte
	reportID       int64
)

// unique notes an issue when something earlier in the seed has the same value.
func (b *recordBuilder) unique(path string, value any) {
	if earlier, ok := b.used[value]; ok {
		b.issues.Add(path, "must not be the same as "+earlier)
		return
	}
	b.used[value] = path
}

// check adds the issues of err, which is about the element at path.
func (b *recordBuilder) check(path string, err error) {
	var input *asset.InputError
	if errors.As(err, &input) {
		b.issues = append(b.issues, input.Issues.Under(path)...)
	}
}

// storedTime returns t as stored. The year of an RFC 3339 time may change when the time is
// converted to UTC.
func (b *recordBuilder) storedTime(path string, t time.Time) time.Time {
	t = step.TruncateTime(t)
	b.issues.Check(asset.ValidTime(t), path, "must be in the years 1 to 9999, in UTC")
	return t
}

func (b *recordBuilder) organization(path string, o SeedOrganization) {
	record := account.Organization{ID: o.ID, Slug: o.Slug, Name: o.Name}
	b.check(path, record.Validate())
	b.unique(path+".id", organizationID(o.ID))
	b.unique(path+".slug", slug(o.Slug))
	b.organizations[o.Slug] = o.ID
	b.records.Organizations = append(b.records.Organizations, record)
	each(path+".groups", o.Groups, func(path string, g SeedGroup) {
		record := account.Group{ID: g.ID, OrganizationID: o.ID, Name: g.Name}
		if g.ID == 0 {
			b.issues.CheckID(path+".id", g.ID) // a seed has every identifier
		}
		b.check(path, record.Validate())
		b.unique(path+".id", groupID(g.ID))
		b.records.Groups = append(b.records.Groups, record)
	})
}

func (b *recordBuilder) user(path string, u account.User) {
	b.check(path, u.Validate())
	b.unique(path+".id", userID(u.ID))
	b.records.Users = append(b.records.Users, u)
}

func (b *recordBuilder) key(path string, k SeedKey) {
	createdAt := b.storedTime(path+".createdAt", k.CreatedAt)
	request := account.KeyRequest{Name: k.Name, Scopes: k.Scopes, ExpiresAt: k.ExpiresAt}
	b.issues.Check(account.ValidKey(k.Key), path+".key", "must be 1 to 256 visible ASCII characters")
	b.unique(path+".key", keyHash(account.HashKey(k.Key)))
	if k.Organization != "" {
		request.OrganizationID = b.organizationID(path, k.Organization)
	}
	if k.User != 0 {
		_, known := b.used[userID(k.User)]
		if known {
			request.UserID = k.User
		} else {
			b.issues.Add(path+".user", "must be a user of the seed")
		}
	}
	b.check(path, request.Validate())
	b.records.Keys = append(b.records.Keys, request.Key(k.Key, createdAt))
}

func (b *recordBuilder) asset(path string, a SeedAsset) {
	status := cmp.Or(a.Status, asset.StatusUnknown)
	b.issues.Check(status.Valid(), path+".status", "must be UNKNOWN, ALLOWED or BLOCKED")
	result, err := classify.Classify(a.Content)
	if err != nil {
		b.issues.AddCause(path+".content", err)
		return
	}
	if at, known := b.assets[result.Identity]; known {
		b.issues.Add(path+".content", fmt.Sprintf("must not be the same asset as assets[%d]", at))
		return
	}
	record := b.register(result.Identity)
	if status == asset.StatusUnknown {
		return
	}
	b.issues.Check(!a.ChangedAt.IsZero(), path+".changedAt", "is required with a status other than UNKNOWN")
	at, origin := b.storedTime(path+".changedAt", a.ChangedAt), asset.Origin{Cause: asset.CauseImport}
	decided, _ := record.Decide(asset.Decision{Status: status, Origin: origin}, at)
	decided, change, _ := decided.Settle(at, origin)
	change.ID = int64(len(b.records.Changes) + 1)
	b.records.Assets[record.ID-1] = decided
	b.records.Changes = append(b.records.Changes, change)
}

// register adds an UNKNOWN asset with the next identifier.
func (b *recordBuilder) register(identity asset.Identity) asset.Held {
	record := asset.NewHeld(identity)
	record.ID = int64(len(b.records.Assets) + 1)
	b.assets[identity] = len(b.records.Assets)
	b.records.Assets = append(b.records.Assets, record)
	return record
}

func (b *recordBuilder) report(path string, r SeedReport) {
	record := report.Report{
		ID:             r.ID,
		OrganizationID: b.organizationID(path, r.Organization),
		Title:          r.Title,
		Description:    r.Description,
		BrandID:        r.BrandID,
		Reporter:       report.Reporter{ID: r.Reporter},
		CreatedAt:      b.storedTime(path+".createdAt", r.CreatedAt),
	}
	b.issues.CheckID(path+".id", r.ID)
	b.unique(path+".id", reportID(r.ID))
	b.issues.CheckTextLength(path+".title", r.Title, report.MaxTitle)
	b.issues.CheckTextLength(path+".description", r.Description, report.MaxDescription)
	b.issues.CheckOptionalID(path+".brandId", r.BrandID)
	b.issues.CheckOptionalID(path+".reporter", r.Reporter)
	b.issues.Check(!r.CreatedAt.IsZero(), path+".createdAt", "is required")
	b.issues.Check(len(r.Proposals) <= report.MaxProposals, path+".proposals", fmt.Sprintf("must hold at most %d elements", report.MaxProposals))

	var reviewedAt time.Time
	each(path+".proposals", r.Proposals, func(path string, p SeedProposal) {
		proposal := b.proposal(path, p)
		if proposal.Asset.ID != 0 {
			b.unique(path+".content", [2]int64{r.ID, proposal.Asset.ID})
		}
		if p.ReviewStatus != "" {
			proposal.ReviewID = b.review(proposal)
		}
		record.Proposals = append(record.Proposals, proposal)
		if proposal.ReviewedAt.After(reviewedAt) {
			reviewedAt = proposal.ReviewedAt
		}
	})
	b.records.Reports = append(b.records.Reports, record.Updated(reviewedAt))
}

func (b *recordBuilder) proposal(path string, p SeedProposal) report.Proposal {
	b.proposals++
	record := report.Proposal{
		ID:             b.proposals,
		ProposedStatus: p.ProposedStatus,
		ReviewStatus:   p.ReviewStatus,
		ReviewedBy:     p.ReviewedBy,
		ReviewedAt:     b.storedTime(path+".reviewedAt", p.ReviewedAt),
	}
	b.issues.Check(p.ProposedStatus.Valid(), path+".proposedStatus", "must be UNKNOWN, ALLOWED or BLOCKED")
	b.issues.CheckOptionalID(path+".reviewedBy", p.ReviewedBy)
	if p.ReviewStatus == "" {
		unreviewed := p.ReviewedBy == 0 && p.ReviewedAt.IsZero()
		b.issues.Check(unreviewed, path+".reviewStatus", "is required with reviewedBy or reviewedAt")
	} else {
		b.issues.Check(p.ReviewStatus.Valid(), path+".reviewStatus", "must be APPROVE, REJECT, SKIP or ESCALATE")
	}
	result, err := classify.Classify(p.Content)
	if err != nil {
		b.issues.AddCause(path+".content", err)
		return record
	}
	record.Content = result.Content
	if at, known := b.assets[result.Identity]; known {
		record.Asset = b.records.Assets[at].Asset
	} else {
		record.Asset = b.register(result.Identity).Asset
	}
	return record
}

// review adds the review of a proposal with the next identifier, which it returns.
func (b *recordBuilder) review(p report.Proposal) int64 {
	id := int64(len(b.records.Reviews) + 1)
	b.records.Reviews = append(b.records.Reviews, report.Review{
		ID:         id,
		ProposalID: p.ID,
		Status:     p.ReviewStatus,
		ReviewedBy: p.ReviewedBy,
		ReviewedAt: p.ReviewedAt,
	})
	return id
}

// organizationID returns the identifier of the organization with that slug.
func (b *recordBuilder) organizationID(path, slug string) int64 {
	id, known := b.organizations[slug]
	b.issues.Check(known, path+".organization", "must be the slug of an organization of the seed")
	return id
}
