package storagetest

import (
	"cmp"
	"slices"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
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
	entry := m.anyAct(t)
	added, err := m.AddEndpoint(m.Context(), e, entry)
	require.NoError(m, err)
	m.assigned("endpoint", added.ID)
	m.model.tell(entry.On(added.ID))
	e.ID = added.ID
	require.Equal(m, e, added)
	m.model.endpoints = append(m.model.endpoints, e)
}

func (m *machine) updateEndpointRandomly(t *rapid.T) {
	id, changed, refused := anyEndpoint.Draw(t, "id"), drawEndpoint(t), rapid.IntRange(0, 3).Draw(t, "refused") == 0
	entry := m.anyAct(t)
	old := find(m.model.endpoints, func(e webhook.Endpoint) bool { return e.ID == id })
	if old != nil && rapid.Bool().Draw(t, "the same") {
		changed = *old
	}
	got, err := m.UpdateEndpoint(m.Context(), id, func(webhook.Endpoint) (webhook.Endpoint, error) {
		if refused {
			return webhook.Endpoint{}, errRefused
		}
		return changed, nil
	}, entry)
	switch {
	case old == nil:
		require.ErrorIs(m, err, webhook.ErrNotFound)
	case refused:
		require.ErrorIs(m, err, errRefused)
	default:
		require.NoError(m, err)
		changed.ID, changed.CreatedAt = id, old.CreatedAt
		require.Equal(m, changed, got)
		m.model.tell(changed.Entry(entry, *old))
		*old = changed
	}
	m.compareEndpoints()
}

func (m *machine) removeRandomEndpoint(t *rapid.T) {
	id, entry := anyEndpoint.Draw(t, "id"), m.anyAct(t)
	err := m.RemoveEndpoint(m.Context(), id, entry)
	if find(m.model.endpoints, func(e webhook.Endpoint) bool { return e.ID == id }) == nil {
		require.ErrorIs(m, err, webhook.ErrNotFound)
		return
	}
	require.NoError(m, err)
	m.model.tell(entry)
	m.model.endpoints = slices.DeleteFunc(m.model.endpoints, func(e webhook.Endpoint) bool { return e.ID == id })
	m.noEndpoint(id)
}

func (m *machine) readEndpoints(t *rapid.T) {
	after, limit := rapid.Int64Range(0, m.last["endpoint"]+1).Draw(t, "after"), anyLimit.Draw(t, "limit")
	want := above(m.model.endpoints, after, func(e webhook.Endpoint) int64 { return e.ID })
	samePage(m, want, limit, m.endpointPage(after, limit), "Endpoints after %d", after)
}

func (m *machine) readDueEndpoints(t *rapid.T) {
	between := rapid.Custom(func(t *rapid.T) webhook.DueCursor {
		return webhook.DueCursor{At: sometimes(anyBound).Draw(t, "after"), ID: maybe(anyEndpoint).Draw(t, "after ID")}
	})
	after := cursorOr(m.model.endpoints, webhook.Endpoint.Cursor, between).Draw(t, "cursor")
	dueAt := func(e webhook.Endpoint) time.Time { return e.DueAt }
	until, limit := cursorOr(m.model.endpoints, dueAt, anyBound).Draw(t, "until"), rapid.IntRange(1, 3).Draw(t, "limit")
	var want []webhook.Endpoint
	for _, e := range m.model.endpoints {
		if e.State == webhook.StateActive && !e.DueAt.After(until) && after.Precedes(e) {
			want = append(want, e)
		}
	}
	slices.SortFunc(want, func(a, b webhook.Endpoint) int { return cmp.Or(a.DueAt.Compare(b.DueAt), cmp.Compare(a.ID, b.ID)) })
	page, err := m.DueEndpoints(m.Context(), after, until, limit)
	require.NoError(m, err)
	samePage(m, want, limit, page, "DueEndpoints after %+v until %v", after, until)
}

func (m *machine) compareEndpoints() {
	m.Helper()
	require.Equal(m, orNil(m.model.endpoints), orNil(m.endpoints()), "the endpoints")
}
