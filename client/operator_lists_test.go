package client_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/lists"
)

func TestOperator_lists(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	op := newOrigin(t, httpapi.Options{}, nil).operator(t)
	added, err := op.AddList(ctx, lists.List{Name: "acme-feed", Format: lists.Domains, Reason: asset.ReasonScam})
	require.NoError(t, err)
	require.Equal(t, lists.List{
		Name: "acme-feed", Format: lists.Domains, Status: asset.StatusBlocked, Reason: asset.ReasonScam, CreatedAt: added.CreatedAt,
	}, added)
	_, err = op.AddList(ctx, added)
	require.ErrorIs(t, err, client.ErrConflict)
	file := strings.NewReader("phishing.dev\nscam.dev\nnot a domain\n")
	dry, err := op.SyncList(ctx, client.SyncRequest{Name: "acme-feed", DryRun: true}, file)
	require.NoError(t, err)
	require.Equal(t, lists.SyncResult{Added: 2, Refused: 1, Examples: &lists.SyncExamples{
		Added: []string{"phishing.dev", "scam.dev"}, Withdrawn: []string{}, Overruled: []string{}, Protected: []string{},
		Refused: []lists.RefusedExample{{Line: 3, Text: "not a domain", Error: "is not a host"}},
	}}, dry)
	_, err = file.Seek(0, 0)
	require.NoError(t, err)
	_, err = op.SyncList(ctx, client.SyncRequest{Name: "acme-feed"}, file)
	require.NoError(t, err)
	_, err = op.SyncList(ctx, client.SyncRequest{Name: "acme-feed"}, strings.NewReader(""))
	require.ErrorIs(t, err, lists.ErrUnconfirmed)
	require.ErrorIs(t, err, client.ErrConflict)
	_, err = op.SyncList(ctx, client.SyncRequest{Name: "acme-feed"}, strings.NewReader("no\nno no\n- -\n"))
	require.ErrorIs(t, err, lists.ErrMostlyRefused)
	require.NotErrorIs(t, err, lists.ErrUnconfirmed)
	cleared, err := op.SyncList(ctx, client.SyncRequest{Name: "acme-feed", Confirm: true}, strings.NewReader(""))
	require.NoError(t, err)
	require.Equal(t, lists.SyncResult{Withdrawn: 2}, cleared)

	url, every := "https://lists.example/file", 90*time.Minute
	updated, err := op.UpdateList(ctx, lists.UpdateRequest{Name: "acme-feed", URL: &url, Every: &every})
	require.NoError(t, err)
	require.Equal(t, every, updated.Every)
	require.Equal(t, url, updated.URL)
	require.Equal(t, asset.ReasonScam, updated.Reason)
	found, err := op.Lists(ctx)
	require.NoError(t, err)
	require.Equal(t, []lists.List{updated}, found)
	_, err = op.FetchList(ctx, client.SyncRequest{Name: "acme-feed"})
	require.ErrorIs(t, err, client.ErrNotFound, "this server fetches no lists")
	require.NoError(t, op.RemoveList(ctx, "acme-feed"))
	require.ErrorIs(t, op.RemoveList(ctx, "acme-feed"), client.ErrNotFound)
}
