package apguard_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
)

func TestGuard_Queues(t *testing.T) {
	t.Parallel()
	for name, store := range map[string]storage.Store{"memory": memory.New(), "SQLite": sqliteStore(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			now := noon()
			guard := apguard.New(accounttest.Organizations(t, store, 1), apguard.Options{Clock: func() time.Time {
				now = now.Add(time.Second)
				return now
			}})
			ctx := t.Context()
			create := func(content string) func() error {
				return func() error {
					_, err := guard.Disputes.Create(ctx, dispute.CreateRequest{Content: content, Email: "ada@acme.example"})
					return err
				}
			}
			becomes := func(call func(context.Context, dispute.TransitionRequest) (dispute.Updated, error), actor int64) error {
				_, err := call(ctx, dispute.TransitionRequest{DisputeID: 1, Actor: actor})
				return err
			}
			for _, content := range []string{"@a", "@b", "@c"} {
				setStatus(t, guard, content, asset.StatusBlocked)
			}
			review := func(proposal int64) error {
				_, err := guard.Reviews.Review(ctx, report.ReviewRequest{
					Scope: report.AnyOrganization(), ProposalID: proposal, Status: report.ReviewApprove,
				})
				return err
			}
			queue := guard.DisputeQueue
			reject := func(id int64) error {
				_, err := queue.Resolve(ctx, dispute.ResolveRequest{DisputeID: id, State: dispute.StateRejected, Reason: "no"})
				return err
			}
			takes := func(actor int64) error {
				_, err := queue.StartReview(ctx, dispute.TransitionRequest{DisputeID: 1, Actor: actor})
				return err
			}
			before := queuesOf(t, guard)
			for _, c := range []struct {
				reason            string
				act               func() error
				disputes, reports bool // whose version changes
			}{
				{"a dispute is created", create("@a"), true, false},
				{"another one", create("@b"), true, false},
				{"it is taken up", func() error { return takes(1) }, true, false},
				{"a colleague takes it over", func() error {
					return errors.Join(becomes(queue.Release, 2), takes(2))
				}, true, false},
				{"a note is added", func() error {
					_, err := queue.AddNote(ctx, dispute.AddNoteRequest{DisputeID: 1, Text: "x"})
					return err
				}, true, false},
				{"it is released", func() error { return becomes(queue.Release, 2) }, true, false},
				{"it is withdrawn", func() error { return becomes(queue.Withdraw, 2) }, true, false},
				{"it is reopened", func() error { return becomes(queue.Reopen, 2) }, true, false},
				{"a third one", create("@c"), true, false},
				{"it is rejected", func() error { return reject(3) }, true, false},
				{"one is rejected and another one reopened, so that as many wait", func() error {
					_, err := queue.Reopen(ctx, dispute.TransitionRequest{DisputeID: 3})
					return errors.Join(err, reject(2))
				}, true, false},
				{"a status is set", func() error { setStatus(t, guard, "@f", asset.StatusBlocked); return nil }, false, false},
				{"a report is filed", func() error {
					_, err := guard.Reports.File(ctx, report.FileRequest{
						OrganizationID: 1, Proposals: []report.ProposalRequest{{Content: "@d", ProposedStatus: asset.StatusBlocked}, {Content: "@e", ProposedStatus: asset.StatusBlocked}},
					})
					return err
				}, false, true},
				{"a proposal is skipped", func() error { return review(1) }, false, true},
				{"the other one, which closes the report", func() error { return review(2) }, false, true},
			} {
				require.NoError(t, c.act(), c.reason)
				after := queuesOf(t, guard)
				require.Equal(t, c.disputes, before.Disputes.Version() != after.Disputes.Version(), "%s: %+v", c.reason, after)
				require.Equal(t, c.reports, before.Reports.Version() != after.Reports.Version(), "%s: %+v", c.reason, after)
				require.Equal(t, c.disputes || c.reports, before.Version() != after.Version(), c.reason)
				require.Equal(t, after.Version(), queuesOf(t, guard).Version(), "nothing has changed")
				before = after
			}
		})
	}
}

func queuesOf(t *testing.T, guard *apguard.Guard) apguard.Queues {
	t.Helper()
	queues, err := guard.Queues(t.Context())
	require.NoError(t, err)
	return queues
}

// Times are those of the bubble.
func TestGuard_WaitQueues(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		guard := newGuard(t, apguard.Options{})
		setStatus(t, guard, "@a", asset.StatusBlocked)
		version := queuesOf(t, guard).Version()
		require.NoError(t, guard.WaitQueues(t.Context(), "another"), "there is another one already")

		ended := make(chan error, 2)
		for range 2 {
			go func() { ended <- guard.WaitQueues(t.Context(), version) }()
		}
		time.Sleep(time.Minute)
		require.Empty(t, ended)
		_, err := guard.Disputes.Create(t.Context(), dispute.CreateRequest{Content: "@a", Email: "ada@acme.example"})
		require.NoError(t, err)
		began := time.Now()
		require.NoError(t, errors.Join(<-ended, <-ended))
		require.LessOrEqual(t, time.Since(began), time.Second)

		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		require.ErrorIs(t, guard.WaitQueues(ctx, queuesOf(t, guard).Version()), context.DeadlineExceeded)
	})
}

// withoutCases implements neither disputes nor reports.
type withoutCases struct{ *memory.Store }

func (withoutCases) DisputeBacklog(context.Context) (dispute.Backlog, error) {
	return dispute.Backlog{}, storage.ErrUnimplemented
}

func (withoutCases) LastDisputeEvent(context.Context) (int64, error) {
	return 0, storage.ErrUnimplemented
}

func (withoutCases) Disputes(context.Context, dispute.ListRequest) (step.Page[dispute.Dispute], error) {
	return step.Page[dispute.Dispute]{}, storage.ErrUnimplemented
}

func (withoutCases) ReportBacklog(context.Context, report.Scope) (report.Backlog, error) {
	return report.Backlog{}, storage.ErrUnimplemented
}

func (withoutCases) Reports(context.Context, report.ListRequest) (report.Page, error) {
	return report.Page{}, storage.ErrUnimplemented
}

// Queues that the store does not implement are empty, and hold nobody who leaves.
func TestGuard_Queues_Unimplemented(t *testing.T) {
	t.Parallel()
	guard := apguard.New(withoutCases{memory.New()}, apguard.Options{})
	require.Equal(t, apguard.Queues{}, queuesOf(t, guard))
	require.NoError(t, guard.Accounts.PutUser(t.Context(), account.User{ID: 1}))
	_, err := guard.DeactivateUser(t.Context(), 1)
	require.NoError(t, err)
	require.NoError(t, guard.RemoveUser(t.Context(), 1))
}
