package storagetest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
)

// registeredOnce calls several methods concurrently that register the same assets, in
// ascending and in descending order.
func registeredOnce(p *probe) {
	const assets = 20
	seen := make([]map[asset.Identity]int64, 20)
	p.ensureOrganizations(ids(len(seen))...)
	list := p.addList(newList("list"))
	p.allSucceed(concurrently(len(seen), func(i int) error {
		seen[i] = make(map[asset.Identity]int64)
		numbers := numbersTo(assets)
		if i%10 < 5 {
			slices.Reverse(numbers)
		}
		switch i % 5 {
		case 0:
			outcomes, err := p.AddToAllowlist(p.Context(), addCommand(int64(i+1), numbers...))
			for j, outcome := range outcomes {
				seen[i][site(numbers[j])] = outcome.AssetID
			}
			return err
		case 1:
			filed, err := p.FileReport(p.Context(), fileCommand("report", numbers...))
			for _, proposal := range filed.Proposals {
				seen[i][proposal.Asset.Identity] = proposal.Asset.ID
			}
			return err
		case 2:
			created, err := p.CreateDispute(p.Context(), registeringCommand(numbers[0], strconv.Itoa(i)))
			seen[i][site(numbers[0])] = created.AssetID
			return err
		case 3:
			decided, err := p.DecideEntries(p.Context(), decideCommand(list, at(i), asset.StatusBlocked, numbers...))
			for _, one := range decided {
				seen[i][one.Identity] = one.ID
			}
			return err
		default:
			before, err := p.SetAssetStatuses(p.Context(), statusesCommand(at(i), asset.StatusBlocked, numbers...))
			for j, one := range before {
				seen[i][site(numbers[j])] = one.ID
			}
			return err
		}
	}))
	for _, assets := range seen {
		for identity, id := range assets {
			require.Equal(p, p.asset(identity).ID, id, "%v must be registered once", identity)
		}
	}
}

func concurrencyChecks() []requirement {
	return []requirement{
		{"one of 32 concurrent equal disputes succeeds", func(p *probe) {
			p.oneSucceeds(concurrently(32, func(int) error {
				_, err := p.CreateDispute(p.Context(), registeringCommand(1, "ada@acme.example"))
				return err
			}), dispute.ErrExists)
		}},
		{"of two statuses by callers who saw the same status, one is set", func(p *probe) {
			for n := range races {
				before, others := asset.StatusUnknown, []asset.Status{asset.StatusAllowed, asset.StatusBlocked}
				if n%2 == 1 {
					before, others[1] = asset.StatusBlocked, asset.StatusUnknown
				}
				if before != asset.StatusUnknown {
					p.set(site(n), before, at(0)) // the others do not exist
				}
				p.oneSucceeds(concurrently(2, func(i int) error {
					cmd := statusesCommand(at(i), others[i], n)
					cmd.IfStatus = before
					_, err := p.SetAssetStatuses(p.Context(), cmd)
					return err
				}), asset.ErrChanged)
				p.validChanges(site(n))
			}
		}},
		{"32 concurrent disputes of one asset by different addresses succeed", func(p *probe) {
			disputes := make([]dispute.Dispute, 32)
			p.allSucceed(concurrently(len(disputes), func(i int) (err error) {
				disputes[i], err = p.CreateDispute(p.Context(), registeringCommand(1, fmt.Sprintf("%d@acme.example", i)))
				return err
			}))
			seen := make(map[int64]bool)
			for _, d := range disputes {
				require.Equal(p, p.asset(site(1)).ID, d.AssetID, "the asset must be registered once")
				require.False(p, seen[d.ID], "two disputes have the ID %d", d.ID)
				seen[d.ID] = true
			}
		}},
		{"eight concurrent equal batches add each asset once", func(p *probe) {
			const callers = 8
			outcomes := make([][]allowlist.Outcome, callers)
			p.ensureOrganizations(1)
			p.allSucceed(concurrently(callers, func(i int) (err error) {
				a := addCommand(1, numbersTo(allowlist.MaxItems)...)
				if i%2 == 1 {
					slices.Reverse(a.Entries)
				}
				outcomes[i], err = p.AddToAllowlist(p.Context(), a)
				if i%2 == 1 {
					slices.Reverse(outcomes[i])
				}
				return err
			}))
			for n := range allowlist.MaxItems {
				added := 0
				for i := range callers {
					require.Len(p, outcomes[i], allowlist.MaxItems, "AddToAllowlist must return one outcome for each entry")
					require.Equal(p, outcomes[0][n].AssetID, outcomes[i][n].AssetID, "asset %d must be registered once", n)
					if outcomes[i][n].Err == nil {
						added++
					} else {
						require.ErrorIs(p, outcomes[i][n].Err, allowlist.ErrExists)
					}
				}
				require.Equal(p, 1, added, "asset %d must be added exactly once", n)
			}
			require.Len(p, p.entries(1), allowlist.MaxItems)
			require.Len(p, p.changes(asset.ChangeFilter{}), allowlist.MaxItems)
		}},
		{"eight organizations that add the same assets concurrently make them ALLOWED once", func(p *probe) {
			const organizations, assets = 8, 100
			p.ensureOrganizations(ids(organizations)...)
			p.allSucceed(concurrently(organizations, func(i int) error {
				a := addCommand(int64(i+1), numbersTo(assets)...)
				if i%2 == 1 {
					slices.Reverse(a.Entries)
				}
				outcomes, err := p.AddToAllowlist(p.Context(), a)
				for _, outcome := range outcomes {
					err = errors.Join(err, outcome.Err)
				}
				return err
			}))
			for i := range organizations {
				require.Len(p, p.entries(int64(i+1)), assets)
			}
			require.Len(p, p.changes(asset.ChangeFilter{}), assets)
		}},
		{"concurrent changes of one asset form one history", func(p *probe) {
			statuses := asset.Statuses()
			p.allSucceed(concurrently(12, func(i int) error {
				errs := make([]error, 4)
				for j := range errs {
					_, errs[j] = p.SetAssetStatuses(p.Context(), statusCommand(site(1), statuses[(i+j)%len(statuses)], at(j)))
				}
				return errors.Join(errs...)
			}))
			p.validChanges(site(1))
		}},
		{"concurrent calls of all kinds register each new asset once", registeredOnce},
		{"concurrent calls of all kinds on the same assets form one history", func(p *probe) {
			f := fileCommand("report", 0, 1, 2, 3)
			f.Proposals[1].ProposedStatus = asset.StatusUnknown
			filed := p.file(f)
			p.ensureOrganizations(ids(12)...)
			p.allSucceed(concurrently(12, func(i int) (err error) {
				switch i % 3 {
				case 0:
					_, err = p.AddToAllowlist(p.Context(), addCommand(int64(i+1), 3, i/3%3, (i/3+1)%3))
				case 1:
					_, err = addReview(p.Context(), p, report.Review{ProposalID: filed.Proposals[i/3].ID, Status: report.ReviewApprove, ReviewedAt: at(i)})
				default:
					_, err = p.SetAssetStatuses(p.Context(), statusCommand(site(i/3), asset.StatusBlocked, at(i)))
				}
				return err
			}))
			for n := range 4 {
				p.validChanges(site(n))
			}
			require.Equal(p, report.StatusClosed, p.newestReport(1).Status)
		}},
		{"groups that are created concurrently have different IDs", func(p *probe) {
			groups := make([]account.Group, 16)
			p.allSucceed(concurrently(len(groups), func(i int) (err error) {
				groups[i], err = p.PutGroup(p.Context(), account.Group{OrganizationID: 1, Name: strconv.Itoa(i)}, audit.Entry{})
				return err
			}))
			slices.SortFunc(groups, func(a, b account.Group) int { return cmp.Compare(a.ID, b.ID) })
			require.Equal(p, groups, p.groups(1))
		}},
		{"groups that are put concurrently do not lower the next ID", func(p *probe) {
			const largest = 1000
			p.allSucceed(concurrently(16, func(i int) error {
				_, err := p.PutGroup(p.Context(), account.Group{ID: int64(largest - i), OrganizationID: 1}, audit.Entry{})
				return err
			}))
			require.Greater(p, p.newGroup(1, "new"), int64(largest))
		}},
		{"one of eight concurrent organizations gets a slug", func(p *probe) {
			p.oneSucceeds(concurrently(8, func(i int) error {
				return p.PutOrganization(p.Context(), account.Organization{ID: int64(i + 1), Slug: "acme"}, audit.Entry{})
			}), account.ErrSlugTaken)
		}},
		{"one of eight concurrent organizations gets a group", func(p *probe) {
			p.oneSucceeds(concurrently(8, func(i int) error {
				_, err := p.PutGroup(p.Context(), account.Group{ID: 7, OrganizationID: int64(i + 1)}, audit.Entry{})
				return err
			}), account.ErrGroupTaken)
			total := 0
			for i := range 8 {
				total += len(p.groups(int64(i + 1)))
			}
			require.Equal(p, 1, total, "a refused group must not be stored")
		}},
		{"the same records may be put concurrently", func(p *probe) {
			p.allSucceed(concurrently(8, func(int) error {
				_, group := p.PutGroup(p.Context(), account.Group{ID: 7, OrganizationID: 1}, audit.Entry{})
				return errors.Join(
					p.PutOrganization(p.Context(), account.Organization{ID: 1, Slug: "acme"}, audit.Entry{}),
					p.PutUser(p.Context(), account.User{ID: 3, Email: "ada@acme.example"}, audit.Entry{}),
					p.PutKey(p.Context(), newKey("key", 1, 3, account.ScopeDispute), audit.Entry{}),
					group,
				)
			}))
			require.Equal(p, account.Principal{
				OrganizationID:   1,
				OrganizationSlug: "acme",
				UserID:           3,
				Email:            "ada@acme.example",
				Scopes:           []account.Scope{account.ScopeDispute},
			}, p.principal("key"))
			require.Len(p, p.groups(1), 1)
			require.Len(p, p.keys(1), 1)
		}},
		{"one of four concurrent imports succeeds", func(p *probe) {
			p.oneSucceeds(concurrently(4, func(i int) error {
				return p.Import(p.Context(), storage.Seed{Organizations: []storage.SeedOrganization{{
					ID:     int64(i + 1),
					Slug:   strconv.Itoa(i),
					Groups: []storage.SeedGroup{{ID: int64(i + 1), Name: "group"}},
				}}})
			}), storage.ErrNotEmpty)
			total := 0
			for i := range 4 {
				total += len(p.groups(int64(i + 1)))
			}
			require.Equal(p, 1, total, "a refused import must store nothing")
		}},
		{"concurrent reviews of the proposals of one report are all stored", func(p *probe) {
			filed := p.file(fileCommand("report", numbersTo(8)...))
			p.allSucceed(concurrently(8, func(i int) error {
				_, err := addReview(p.Context(), p, report.Review{ProposalID: filed.Proposals[i].ID, Status: report.ReviewReject, ReviewedBy: int64(i + 1), ReviewedAt: at(i)})
				return err
			}))
			got := p.newestReport(1)
			require.Equal(p, report.StatusClosed, got.Status)
			for i, proposal := range got.Proposals {
				require.EqualValues(p, i+1, proposal.ReviewedBy)
			}
		}},
		{"reports that are filed concurrently share their new assets", func(p *probe) {
			reports := make([]report.Report, 8)
			p.allSucceed(concurrently(len(reports), func(i int) (err error) {
				numbers := numbersTo(5)
				if i%2 == 1 {
					slices.Reverse(numbers)
				}
				reports[i], err = p.FileReport(p.Context(), fileCommand("report", numbers...))
				return err
			}))
			seen := make(map[int64]bool)
			for _, r := range reports {
				require.False(p, seen[r.ID], "two reports have the ID %d", r.ID)
				seen[r.ID] = true
				for _, proposal := range r.Proposals {
					require.Equal(p, p.asset(proposal.Asset.Identity), proposal.Asset)
				}
			}
			require.Len(p, p.reports(1, report.Filter{}), len(reports))
		}},
		{"readers see all of a write or nothing", readersSeeWholeSteps},
		{"readers see all of a pruning step or nothing", readersSeeWholePruning},
		{"pruning concurrently with writers keeps the latest change of every asset", pruningKeepsLatest},
		{"four concurrent callers that prune remove each change once", prunersRemoveOnce},
		{"a deadline during AddToAllowlist stores the whole batch or nothing", func(p *probe) {
			p.ensureOrganizations(ids(16)...)
			for i := range 16 {
				organization := int64(i + 1)
				a := addCommand(organization, numbersTo((i + 1) * 100)[i*100:]...)
				ctx, cancel := context.WithTimeout(p.Context(), time.Duration(i*i)*25*time.Microsecond)
				_, err := p.AddToAllowlist(ctx, a)
				cancel()
				want := len(a.Entries)
				if err != nil {
					require.ErrorIs(p, err, context.DeadlineExceeded)
					want = 0
				}
				require.Len(p, p.entries(organization), want, "AddToAllowlist returned %v", err)
				for n := i * 100; n < (i+1)*100; n++ {
					if err != nil {
						p.noAsset(site(n))
					} else {
						require.Equal(p, asset.StatusAllowed, p.asset(site(n)).Status)
					}
				}
			}
		}},
		{"running calls end when the store is closed", func(p *probe) {
			var (
				group  sync.WaitGroup
				begun  = make(chan error, 4)
				closed atomic.Bool
			)
			for i := range cap(begun) {
				group.Go(func() {
					// A store that does not end its calls must not run forever.
					for n, after := 0, 0; after < 100; n++ {
						if closed.Load() {
							after++
						}
						_, err := p.SetAssetStatuses(p.Context(), statusCommand(site(i), asset.Statuses()[n%3], at(n)))
						if n == 0 {
							begun <- err
						}
						if err != nil {
							return
						}
					}
				})
			}
			for range cap(begun) {
				require.NoError(p, <-begun)
			}
			require.NoError(p, p.Close())
			closed.Store(true)
			group.Wait()
			_, err := asset.NewService(p, asset.Options{}).Get(p.Context(), site(1))
			require.ErrorIs(p, err, storage.ErrClosed)
		}},
		{"a store may be closed by several callers concurrently", func(p *probe) {
			p.fill()
			p.allSucceed(concurrently(8, func(int) error { return p.Close() }))
			_, err := asset.NewService(p, asset.Options{}).Get(p.Context(), site(1))
			require.ErrorIs(p, err, storage.ErrClosed)
		}},
	}
}
