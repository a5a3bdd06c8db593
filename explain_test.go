package apguard_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/storage/memory"
)

// constantList is an external list with the same verdict on every asset.
type constantList struct {
	name   string
	status asset.Status
	err    error
}

func (o constantList) Name() string { return o.name }

func (o constantList) Status(context.Context, asset.Identity) (asset.Status, error) {
	return o.status, o.err
}

func TestGuard_Explain(t *testing.T) {
	t.Parallel()
	guard := newGuard(t, apguard.Options{ExternalLists: check.ExternalLists{
		constantList{name: "Blocks", status: asset.StatusBlocked},
		constantList{name: "Exempts", status: asset.StatusAllowed},
		constantList{name: "Silent", status: asset.StatusUnknown},
	}})
	setStatus(t, guard, "https://a.example", asset.StatusBlocked)
	setStatus(t, guard, "https://other.example", asset.StatusBlocked)
	for _, email := range []string{"ada@acme.example", "bob@acme.example"} {
		for _, content := range []string{"https://A.example", "https://other.example"} {
			_, err := guard.Disputes.Create(t.Context(), dispute.CreateRequest{Content: content, Email: email})
			require.NoError(t, err)
		}
	}
	for _, organization := range []int64{7, 2} {
		putOrganization(t, guard, organization)
		_, err := guard.Allowlist.Add(t.Context(), allowlist.AddRequest{
			OrganizationID: organization,
			Actor:          70 + organization,
			Items:          []allowlist.Item{{Content: "https://a.example/"}},
		})
		require.NoError(t, err)
	}
	setStatus(t, guard, "https://other.example", asset.StatusAllowed)

	got, err := guard.Explain(t.Context(), " HTTPS://a.example ")
	require.NoError(t, err)
	known, err := guard.Asset(t.Context(), "https://a.example")
	require.NoError(t, err)
	require.Equal(t, known, got.Asset)
	require.Equal(t, asset.StatusAllowed, got.Asset.Status)
	require.Equal(t, asset.StatusBlocked, got.Change.From, "the change that set the status")
	require.Equal(t, asset.Origin{Cause: asset.CauseAllowlist, Actor: 77, Reference: "organization/7"}, got.Change.Origin)
	require.Equal(t, []check.ListVerdict{{List: "Blocks", Status: asset.StatusBlocked}}, got.Dissent, "the lists that contradict the status")
	require.Empty(t, got.ListsFailed)
	require.Len(t, got.AllowedBy.Organizations, 2)
	require.EqualValues(t, 2, got.AllowedBy.Organizations[0].OrganizationID)
	require.EqualValues(t, 7, got.AllowedBy.Organizations[1].OrganizationID)
	require.Len(t, got.Disputes.Disputes, 2)
	require.Equal(t, "bob@acme.example", got.Disputes.Disputes[0].Email, "the newest dispute comes first")
	require.Zero(t, got.Disputes.NextCursor)
}

// The decisions on an asset are told with the one that counts, whoever took it.
func TestGuard_Explain_Decisions(t *testing.T) {
	t.Parallel()
	now := time.Date(2025, time.January, 5, 12, 0, 0, 0, time.UTC)
	guard := apguard.New(memory.New(), apguard.Options{Clock: func() time.Time { return now }})
	putOrganization(t, guard, 2)
	putOrganization(t, guard, 7)
	add := func(organization int64, expiresAt time.Time) {
		now = now.Add(time.Minute)
		_, err := guard.Allowlist.Add(t.Context(), allowlist.AddRequest{
			OrganizationID: organization, Items: []allowlist.Item{{Content: "@a", ExpiresAt: expiresAt}},
		})
		require.NoError(t, err)
	}
	decisions := func() []apguard.HeldDecision {
		e, err := guard.Explain(t.Context(), "@a")
		require.NoError(t, err)
		return e.Decisions
	}
	setStatus(t, guard, "@a", asset.StatusUnknown)
	operators := apguard.HeldDecision{
		Source:   asset.SourceOperator,
		Decision: asset.Decision{Status: asset.StatusUnknown, Since: now, Origin: asset.Origin{Cause: asset.CauseManual}},
		Counts:   true,
	}
	require.Equal(t, []apguard.HeldDecision{operators}, decisions())

	entry := func(organization int64, counts bool) apguard.HeldDecision {
		return apguard.HeldDecision{
			Source: asset.SourceOrganization, OrganizationID: organization,
			Decision: asset.Decision{Status: asset.StatusAllowed, Since: now}, Counts: counts,
		}
	}
	add(7, now.Add(time.Hour))
	seventh := entry(7, false)
	seventh.ExpiresAt = now.Add(-time.Minute).Add(time.Hour)
	add(2, time.Time{})
	second := entry(2, true)
	operators.Counts = false
	require.Equal(t, []apguard.HeldDecision{second, seventh, operators}, decisions(), "the latest entry counts")

	_, err := guard.Assets.SetStatus(t.Context(), asset.SetStatusRequest{
		Identity: asset.Identity{Type: asset.TypeTwitter, Canonical: "x.com/a"}, Status: asset.StatusBlocked, ConfirmProtected: true,
	})
	require.NoError(t, err)
	second.Counts = false
	blocked := apguard.HeldDecision{Source: asset.SourceOperator, Counts: true, Decision: asset.Decision{
		Status: asset.StatusBlocked, Reason: asset.ReasonOther, Since: now.Add(time.Millisecond), Origin: asset.Origin{Cause: asset.CauseManual},
		Replaced: &operators.Decision,
	}}
	require.Equal(t, []apguard.HeldDecision{blocked, second, seventh}, decisions(), "a decision after all entries counts")

	now = now.Add(time.Hour)
	require.Equal(t, []apguard.HeldDecision{blocked, second}, decisions(), "an entry that has ended is not there")
}

func TestGuard_Explain_Dissent(t *testing.T) {
	t.Parallel()
	for status, want := range map[asset.Status][]check.ListVerdict{
		asset.StatusUnknown: {{List: "Blocks", Status: asset.StatusBlocked}, {List: "Exempts", Status: asset.StatusAllowed}},
		asset.StatusAllowed: {{List: "Blocks", Status: asset.StatusBlocked}},
		asset.StatusBlocked: {{List: "Exempts", Status: asset.StatusAllowed}},
	} {
		guard := newGuard(t, apguard.Options{ExternalLists: check.ExternalLists{
			constantList{name: "Blocks", status: asset.StatusBlocked},
			constantList{name: "Silent", status: asset.StatusUnknown},
			constantList{name: "Exempts", status: asset.StatusAllowed},
		}})
		setStatus(t, guard, "@a", asset.StatusBlocked)
		setStatus(t, guard, "@a", status)
		got, err := guard.Explain(t.Context(), "@a")
		require.NoError(t, err)
		require.Equal(t, want, got.Dissent, status)
	}
}

// An asset that does not exist is explained by the one that decides in its place.
func TestGuard_Explain_Match(t *testing.T) {
	t.Parallel()
	guard := newGuard(t, apguard.Options{})
	setStatus(t, guard, "evil.example.com", asset.StatusBlocked)
	setStatus(t, guard, "https://good.evil.example.com/a", asset.StatusAllowed)
	domain, err := guard.Asset(t.Context(), "evil.example.com")
	require.NoError(t, err)
	putOrganization(t, guard, 7)
	_, err = guard.Disputes.Create(t.Context(), dispute.CreateRequest{Content: "evil.example.com", Email: "ada@acme.example"})
	require.NoError(t, err)
	for reason, test := range map[string]struct {
		content string
		asset   asset.Identity
		kind    classify.CoverKind
	}{
		"a link":                         {"https://login.evil.example.com/x", asset.Identity{Type: asset.TypeURL, Canonical: "https://login.evil.example.com/x"}, classify.CoverDomain},
		"an e-mail address":              {"bob@evil.example.com", asset.Identity{Type: asset.TypeEmail, Canonical: "bob@evil.example.com"}, classify.CoverDomain},
		"a link that only browsers open": {"https:evil.example.com", asset.Identity{Type: asset.TypeURL, Canonical: "https://evil.example.com"}, classify.CoverPage},
	} {
		got, err := guard.Explain(t.Context(), test.content)
		require.NoError(t, err, reason)
		require.Equal(t, asset.Asset{Identity: test.asset, Status: asset.StatusUnknown}, got.Asset, reason)
		basis := asset.Basis{By: asset.SourceOperator, Reason: asset.ReasonOther, Since: got.Change.At}
		require.Equal(t, &check.Match{Kind: test.kind, Known: asset.Known{Asset: domain, Basis: basis}}, got.Match, reason)
		require.Equal(t, asset.StatusBlocked, got.Change.To, reason)
		require.Len(t, got.Exceptions.Assets, 1, reason)
		require.Len(t, got.Disputes.Disputes, 1, reason)
	}

	setStatus(t, guard, "https://login.evil.example.com/x", asset.StatusUnknown)
	got, err := guard.Explain(t.Context(), "https://login.evil.example.com/x")
	require.NoError(t, err)
	require.NotZero(t, got.Asset.ID, "it exists")
	require.Equal(t, domain, got.Match.Asset, "and its domain decides")
	require.Nil(t, got.Change, "its own status never changed")
	require.Empty(t, got.Disputes.Disputes)

	got, err = guard.Explain(t.Context(), "evil.example.com")
	require.NoError(t, err)
	require.Equal(t, domain, got.Asset)
	require.Nil(t, got.Match, "it decides itself")
}

func TestGuard_Explain_UnknownAsset(t *testing.T) {
	t.Parallel()
	failure := errors.New("no answer")
	blocks := constantList{name: "Blocks", status: asset.StatusBlocked}
	silent := constantList{name: "Silent", status: asset.StatusUnknown}
	fails := constantList{name: "Fails", err: failure}
	unknown := asset.Asset{Identity: asset.Identity{Type: asset.TypeURL, Canonical: "https://a.example"}, Status: asset.StatusUnknown}
	for reason, test := range map[string]struct {
		lists   check.ExternalLists
		dissent []check.ListVerdict
		failed  []string
	}{
		"an external list knows it":     {check.ExternalLists{fails, blocks}, []check.ListVerdict{{List: "Blocks", Status: asset.StatusBlocked}}, []string{"Fails"}},
		"no list knows it":              {check.ExternalLists{silent}, nil, []string{}},
		"there is no list":              {nil, nil, []string{}},
		"the only list does not answer": {check.ExternalLists{fails}, nil, []string{"Fails"}},
	} {
		guard := newGuard(t, apguard.Options{ExternalLists: test.lists, FailClosed: true})
		got, err := guard.Explain(t.Context(), " https://a.example/ ")
		require.NoError(t, err, reason)
		require.Equal(t, unknown, got.Asset, reason)
		require.Nil(t, got.Match, reason)
		require.Nil(t, got.Change, reason)
		require.Equal(t, test.dissent, got.Dissent, reason)
		require.Equal(t, test.failed, got.ListsFailed.Names(), reason)
		_, err = guard.Asset(t.Context(), "https://a.example")
		require.ErrorIs(t, err, asset.ErrNotFound, "an explanation registers nothing")
	}

	_, err := newGuard(t, apguard.Options{ExternalLists: check.ExternalLists{blocks}}).Explain(t.Context(), "no asset")
	require.ErrorIs(t, err, asset.ErrNotFound, "no rule recognizes the text")
}

// askedList is an external list that blocks one asset.
type askedList struct{ blocks asset.Identity }

func (askedList) Name() string { return "Asked" }

func (l askedList) Status(_ context.Context, identity asset.Identity) (asset.Status, error) {
	if identity == l.blocks {
		return asset.StatusBlocked, nil
	}
	return asset.StatusUnknown, nil
}

// Lists are asked about the domain of a link that no asset can be, as a check does.
func TestGuard_Explain_LongHost(t *testing.T) {
	t.Parallel()
	domain := asset.Identity{Type: asset.TypePage, Canonical: "evil.example.com"}
	guard := newGuard(t, apguard.Options{ExternalLists: check.ExternalLists{askedList{domain}}})
	content := "https://" + strings.Repeat("\u00fc", 60) + ".evil.example.com/"
	verdict, err := guard.Checks.Check(t.Context(), content)
	require.NoError(t, err)
	require.NotEmpty(t, verdict.Lists)
	got, err := guard.Explain(t.Context(), content)
	require.NoError(t, err)
	require.Equal(t, verdict.Identity, got.Asset.Identity)
	require.Equal(t, verdict.Lists, got.Dissent)
}

func TestGuard_Explain_NoChange(t *testing.T) {
	t.Parallel()
	guard := newGuard(t, apguard.Options{})
	setStatus(t, guard, "@a", asset.StatusUnknown)
	got, err := guard.Explain(t.Context(), "@a")
	require.NoError(t, err)
	require.Nil(t, got.Change)
	require.Empty(t, got.AllowedBy.Organizations)
	require.Empty(t, got.Disputes.Disputes)
}

func TestGuard_Explain_ClockSetBack(t *testing.T) {
	t.Parallel()
	now := time.Date(2025, 1, 5, 12, 0, 0, 0, time.UTC)
	guard := apguard.New(memory.New(), apguard.Options{Clock: func() time.Time {
		now = now.Add(-time.Minute)
		return now
	}})
	setStatus(t, guard, "@a", asset.StatusBlocked)
	setStatus(t, guard, "@a", asset.StatusAllowed)
	got, err := guard.Explain(t.Context(), "@a")
	require.NoError(t, err)
	require.Equal(t, asset.StatusAllowed, got.Asset.Status)
	require.Equal(t, asset.StatusAllowed, got.Change.To, "the last of the two")
}

func TestGuard_Explain_Limits(t *testing.T) {
	t.Parallel()
	guard := newGuard(t, apguard.Options{})
	for i := range int64(apguard.MaxExplained + 1) {
		putOrganization(t, guard, i+1)
		_, err := guard.Allowlist.Add(t.Context(), allowlist.AddRequest{
			OrganizationID: i + 1, Items: []allowlist.Item{{Content: "@a"}},
		})
		require.NoError(t, err)
		_, err = guard.Disputes.Create(t.Context(), dispute.CreateRequest{
			Content: "@a", Email: fmt.Sprintf("user%d@acme.example", i),
		})
		require.NoError(t, err)
	}
	got, err := guard.Explain(t.Context(), "@a")
	require.NoError(t, err)
	require.Len(t, got.AllowedBy.Organizations, apguard.MaxExplained)
	require.NotZero(t, got.AllowedBy.NextCursor, "there is one more")
	require.Len(t, got.Disputes.Disputes, apguard.MaxExplained)
	require.NotZero(t, got.Disputes.NextCursor, "there is one more")
}

func TestGuard_Explain_Canceled(t *testing.T) {
	t.Parallel()
	guard := newGuard(t, apguard.Options{ExternalLists: check.ExternalLists{
		constantList{name: "Blocks", status: asset.StatusBlocked},
	}})
	setStatus(t, guard, "@a", asset.StatusBlocked)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := guard.Explain(ctx, "@a")
	require.ErrorIs(t, err, context.Canceled)
}
