package apguard_test

import (
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/storage/memory"
)

func TestGuard_Figures(t *testing.T) {
	t.Parallel()
	now := time.Date(2024, time.March, 31, 23, 0, 0, 0, time.FixedZone("", -5*60*60)) // April in UTC
	guard := apguard.New(memory.New(), apguard.Options{Clock: func() time.Time { return now }})
	page := func(name string) asset.Identity { return asset.Identity{Type: asset.TypePage, Canonical: name} }
	set := func(name string, reason asset.Reason, reviewAt time.Time) {
		_, err := guard.Assets.SetStatus(t.Context(), asset.SetStatusRequest{
			Identity: page(name), Status: asset.StatusBlocked, Reason: reason, ReviewAt: reviewAt,
		})
		require.NoError(t, err)
	}
	set("a.example.com", asset.ReasonPhishing, now.Add(time.Hour))
	set("b.example.com", asset.ReasonMalware, now.AddDate(0, 0, 40))
	created, err := guard.Disputes.Create(t.Context(), dispute.CreateRequest{Content: "a.example.com", Email: "ada@example.com"})
	require.NoError(t, err)
	now = now.AddDate(0, 0, 31)
	set("c.example.com", asset.ReasonPhishing, time.Time{})
	_, err = guard.DisputeQueue.Resolve(t.Context(), dispute.ResolveRequest{
		DisputeID: created.Dispute.ID, State: dispute.StateAccepted, AssetStatus: asset.StatusUnknown, Reason: "A mistake",
	})
	require.NoError(t, err)
	waiting := now
	_, err = guard.Disputes.Create(t.Context(), dispute.CreateRequest{Content: "b.example.com", Email: "ada@example.com"})
	require.NoError(t, err)
	for _, name := range []string{"acme", "broken"} {
		list, err := guard.Lists.Add(t.Context(), lists.List{Name: name, Format: lists.Domains, Reason: asset.ReasonPhishing})
		require.NoError(t, err)
		if name == "broken" {
			require.ErrorIs(t, guard.Lists.Fail(t.Context(), list, io.ErrUnexpectedEOF), io.ErrUnexpectedEOF)
		}
	}
	now = now.AddDate(0, 0, 30)

	figures, err := guard.Figures(t.Context())
	require.NoError(t, err)
	require.Len(t, figures.Months, apguard.FigureMonths)
	require.Equal(t, time.Date(2023, time.July, 1, 0, 0, 0, 0, time.UTC), figures.Months[0].Month)
	require.Equal(t, []apguard.MonthFigures{
		{
			Month: time.Date(2024, time.April, 1, 0, 0, 0, 0, time.UTC), Disputes: dispute.Decided{},
			Reasons: []asset.BlockCount{{Reason: asset.ReasonPhishing, Blocks: 1}, {Reason: asset.ReasonMalware, Blocks: 1}},
		},
		{
			Month:    time.Date(2024, time.May, 1, 0, 0, 0, 0, time.UTC),
			Disputes: dispute.Decided{Accepted: 1, Median: 31 * 24 * time.Hour, Percentile90: 31 * 24 * time.Hour},
			Reasons:  []asset.BlockCount{{Reason: asset.ReasonPhishing, Blocks: 1, Lifted: 1}},
		},
		{Month: time.Date(2024, time.June, 1, 0, 0, 0, 0, time.UTC)},
	}, figures.Months[9:])
	require.Equal(t, []int{0, 2, 1, 0}, []int{
		figures.Months[8].Blocks(), figures.Months[9].Blocks(), figures.Months[10].Blocks(), figures.Months[11].Blocks(),
	})
	require.Equal(t, asset.DueCount{Total: 1, Overdue: 1}, figures.Due)
	require.Equal(t, 1, figures.Disputes.Open)
	require.True(t, waiting.Equal(figures.Disputes.OldestAt))
	require.Zero(t, figures.Reports)
	require.Equal(t, 2, figures.Lists)
	require.Len(t, figures.FailingLists, 1)
	require.Equal(t, "broken", figures.FailingLists[0].Name)
}
