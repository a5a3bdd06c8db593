package storagetest

import (
	"cmp"
	"slices"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/webhook"
)

var anyEndpoint = rapid.Int64Range(1, 4)

// drawEndpoint draws the fields by which endpoints are listed, and some others.
func drawEndpoint(t *rapid.T) webhook.Endpoint {
	e := newEndpoint("https://" + anyText.Draw(t, "host"))
	e.State = rapid.SampledFrom([]webhook.State{webhook.StateActive, webhook.StateActive, webhook.StatePaused, webhook.StateDisabled}).Draw(t, "state")
	e.DueAt = sometimes(anyTime).Draw(t, "due at")
	e.Failures = rapid.IntRange(0, 3).Draw(t, "failures")
	e.Filter.Types = rapid.SliceOfN(rapid.SampledFrom(asset.Types()), 1, 3).Draw(t, "types")
	e.Filter.Statuses = rapid.SliceOfN(anyStatus, 1, 3).Draw(t, "statuses")
	return e
}

func (m *machine) addRandomEndpoint(t *rapid.T) {
	e := drawEndpoint(t)
	added := m.addEndpoint(e)
	m.assigned("endpoint", added.ID)
	e.ID = added.ID
	require.Equal(m, e, added)
	m.model.endpoints = append(m.model.endpoints, e)
}

func (m *machine) updateEndpointRandomly(t *rapid.T) {
	id, changed, refused := anyEndpoint.Draw(t, "id"), drawEndpoint(t), rapid.IntRange(0, 3).Draw(t, "refused") == 0
	got, err := m.UpdateEndpoint(m.Context(), id, func(webhook.Endpoint) (webhook.Endpoint, error) {
		if refused {
			return webhook.Endpoint{}, errRefused
		}
		return changed, nil
	}, audit.Entry{})
	old := find(m.model.endpoints, func(e webhook.Endpoint) bool { return e.ID == id })
	switch {
	case old == nil:
		require.ErrorIs(m, err, webhook.ErrNotFound)
	case refused:
		require.ErrorIs(m, err, errRefused)
	default:
		require.NoError(m, err)
		changed.ID, changed.CreatedAt = id, old.CreatedAt
		require.Equal(m, changed, got)
		*old = changed
	}
	m.compareEndpoints()
}

func (m *machine) removeRandomEndpoint(t *rapid.T) {
	id := anyEndpoint.Draw(t, "id")
	err := m.RemoveEndpoint(m.Context(), id, audit.Entry{})
	if find(m.model.endpoints, func(e webhook.Endpoint) bool { return e.ID == id }) == nil {
		require.ErrorIs(m, err, webhook.ErrNotFound)
		return
	}
	require.NoError(m, err)
	m.model.endpoints = slices.DeleteFunc(m.model.endpoints, func(e webhook.Endpoint) bool { return e.ID == id })
	m.noEndpoint(id)
}

func (m *machine) readDueEndpoints(t *rapid.T) {
	after := webhook.DueCursor{At: sometimes(anyBound).Draw(t, "after"), ID: maybe(anyEndpoint).Draw(t, "after ID")}
	until, limit := anyBound.Draw(t, "until"), rapid.IntRange(1, 3).Draw(t, "limit")
	var want []webhook.Endpoint
	for _, e := range m.model.endpoints {
		if e.State == webhook.StateActive && !e.DueAt.After(until) && after.Precedes(e) {
			want = append(want, e)
		}
	}
	slices.SortFunc(want, func(a, b webhook.Endpoint) int { return cmp.Or(a.DueAt.Compare(b.DueAt), cmp.Compare(a.ID, b.ID)) })
	page, err := m.DueEndpoints(m.Context(), after, until, limit)
	require.NoError(m, err)
	require.Equal(m, len(want) > limit, page.More)
	require.Equal(m, orNil(want[:min(limit, len(want))]), orNil(page.Items))
}

func (m *machine) compareEndpoints() {
	m.Helper()
	require.Equal(m, orNil(m.model.endpoints), orNil(m.endpoints()), "the endpoints")
}
