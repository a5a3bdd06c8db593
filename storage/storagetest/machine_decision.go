package storagetest

import (
	"time"

	"github.com/apguard/apguard/asset"
)

// modelDecision is what the operators hold on an asset.
type modelDecision struct {
	said  asset.Decision // without its Since and Replaced
	since time.Time
	// replaced is the decision before this one, or nil.
	replaced *modelDecision
}

// decide makes what is said the decision of the operators, unless they have said it already and it counts.
// It returns the time of the decision, or zero.
func (m *model) decide(a *asset.Asset, said asset.Decision, at time.Time) time.Time {
	before := m.decisions[a.ID]
	if before != nil && before.said.Status == said.Status {
		if said.Reason == "" {
			said.Reason = before.said.Reason
		}
		if said.Note == "" {
			said.Note = before.said.Note
		}
		repeated := said.Reason == before.said.Reason && said.Note == before.said.Note &&
			said.ExpiresAt.Equal(before.said.ExpiresAt) && said.ReviewAt.Equal(before.said.ReviewAt)
		if repeated && before == m.lastVoice(a.ID, at).decision {
			m.settle(a, at, said.Origin)
			return time.Time{}
		}
	}
	if said.Status == asset.StatusBlocked && said.Reason == "" {
		said.Reason = asset.ReasonOther
	}
	decision := modelDecision{said: said, since: m.afterEntries(a.ID, at), replaced: before}
	if before != nil && !decision.since.After(before.since) {
		decision.since = before.since.Add(time.Millisecond)
	}
	m.decisions[a.ID] = &decision
	m.settle(a, at, said.Origin)
	return decision.since
}

// afterEntries returns a time that is after the entries of the asset that last, and not before the given one.
func (m *model) afterEntries(assetID int64, at time.Time) time.Time {
	after := at
	for _, e := range m.entries {
		if e.entry.Asset.ID == assetID && e.lasts(at) && !after.After(e.entry.AddedAt) {
			after = e.entry.AddedAt.Add(time.Millisecond)
		}
	}
	return after
}

// revert makes the decision of that time one that operators have not taken, if they hold it or it was replaced
// last.
func (m *model) revert(a *asset.Asset, since, at time.Time, origin asset.Origin) {
	now := m.decisions[a.ID]
	switch {
	case now == nil:
		return
	case now.since.Equal(since) && (now.replaced == nil || ends(now.replaced.said.ExpiresAt, at)):
		delete(m.decisions, a.ID)
	case now.since.Equal(since):
		m.decisions[a.ID] = &modelDecision{said: now.replaced.said, since: now.replaced.since}
	case now.replaced != nil && now.replaced.since.Equal(since):
		now.replaced = nil
	default:
		return
	}
	m.settle(a, at, origin)
}

// held returns what a store says is held on the asset.
func (m *model) held(a *asset.Asset, at time.Time) asset.Held {
	held := asset.Held{Known: asset.Known{Asset: *a, Basis: m.bases[a.ID]}, Lists: m.heldByLists(a.ID)}
	if of := find(newestFirst(m.changes), func(c asset.Change) bool { return c.AssetID == a.ID }); of != nil {
		held.ChangedAt = of.At
	}
	if decision := m.decisions[a.ID]; decision != nil {
		held.Operators = decision.stored()
		if decision.replaced != nil {
			held.Operators.Replaced = decision.replaced.stored()
		}
	}
	for _, e := range m.entries {
		if e.entry.Asset.ID == a.ID && e.lasts(at) && e.entry.AddedAt.After(held.LastEntry) {
			held.LastEntry = e.entry.AddedAt
		}
	}
	return held
}

// stored returns the decision without the one that it replaced.
func (d modelDecision) stored() *asset.Decision {
	stored := d.said
	stored.Since = d.since
	return &stored
}

// addedAt returns the time of an entry that is added: not before the decision of the operators, and
// those of lists that block the asset.
func (m *model) addedAt(assetID int64, at time.Time) time.Time {
	if decision := m.decisions[assetID]; decision != nil && decision.since.After(at) {
		at = decision.since
	}
	for _, one := range m.heldByLists(assetID) {
		if one.Status == asset.StatusBlocked && one.Since.After(at) {
			at = one.Since
		}
	}
	return at
}

// voice is a decision of the operators, or without one an entry of an organization or what lists say.
type voice struct {
	status   asset.Status
	since    time.Time
	decision *modelDecision
	basis    asset.Basis
}

// lastVoice returns the latest of the decision and the entries that last. Of the same time, it is
// an entry. Without a decision, lists have a voice, too.
func (m *model) lastVoice(assetID int64, at time.Time) voice {
	last := voice{status: asset.StatusUnknown}
	if decision := m.decisions[assetID]; decision != nil {
		basis := asset.Basis{By: asset.SourceOperator, Reason: decision.said.Reason, Note: decision.said.Note, Since: decision.since}
		last = voice{decision.said.Status, decision.since, decision, basis}
	}
	for _, e := range m.entries {
		if e.entry.Asset.ID == assetID && e.lasts(at) && !e.entry.AddedAt.Before(last.since) {
			last = voice{asset.StatusAllowed, e.entry.AddedAt, nil, asset.Basis{By: asset.SourceOrganization, Since: e.entry.AddedAt}}
		}
	}
	if m.decisions[assetID] == nil {
		last = m.listVoice(assetID, last)
	}
	return last
}

// settle gives the asset the status of its last voice, and its basis. If one of them is another one, it
// records the change without its ID. The change is not before the last one of the asset.
func (m *model) settle(a *asset.Asset, at time.Time, origin asset.Origin) {
	voice := m.lastVoice(a.ID, at)
	before, basis := m.bases[a.ID], voice.basis
	if before.By == asset.SourceOrganization && basis.By == asset.SourceOrganization {
		basis.Since = before.Since
	}
	if a.Status == voice.status && before == basis {
		return
	}
	for _, change := range m.changes {
		if change.AssetID == a.ID && change.At.After(at) {
			at = change.At
		}
	}
	if a.Status != voice.status {
		m.recorded[voice.status]++
	}
	m.changes = append(m.changes, asset.Change{
		AssetID: a.ID,
		Type:    a.Type,
		Content: a.Canonical,
		From:    a.Status,
		To:      voice.status,
		At:      at,
		Origin:  origin,
		Basis:   basis,
	})
	a.Status, m.bases[a.ID] = voice.status, basis
}
