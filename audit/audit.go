// Package audit defines the entries of the audit trail: who changed which API key,
// organization, group, user, webhook or list, imported a list, erased a person, pruned records, or asked for an act or decided it, and when.
//
// A service makes the [Entry] of an act, and the store records it in the same step as the act.
// So there is no act without its entry, and no entry without its act. Entries are never changed
// or removed. They outlive the records that they name.
//
// An entry has IDs, times and fixed words, but no text that somebody has written: no names, no
// e-mail addresses and no secrets. So the erasure of a person need not search the trail. The only
// exceptions are the reference of an import and the name of a list, which operators choose and the
// changelog has, too.
//
// The actor of an act is in the context of the call; see [WithActor]. Package trail lists the
// entries.
package audit

import (
	"context"
	"slices"
	"strconv"
	"time"
)

// Entry says who did what, and when. The zero Entry means none.
type Entry struct {
	// ID is larger than the IDs of all earlier entries. The store assigns it.
	ID     int64     `json:"id"`
	At     time.Time `json:"at"`
	Actor  Actor     `json:"actor"`
	Kind   Kind      `json:"kind"`
	Action Action    `json:"action"`
	// Subject identifies the record: the fingerprint of a key, or the ID of any other record in
	// decimal digits. It is empty for an import, an erasure and a pruning.
	Subject string `json:"subject,omitzero"`
	// OrganizationID is the organization to which a key or a group belongs, or 0.
	OrganizationID int64 `json:"organizationId,omitzero"`
	// UserID is the user for whom a key acts, or 0.
	UserID int64 `json:"userId,omitzero"`
	// Detail depends on the action: the scopes of a new or changed key, the fingerprint of the key
	// that replaces a rotated one, the new expiry of a key, the events of a new webhook, the name of a
	// list with the counts of its sync or what was changed of it, the format, counts and reference of an imported list, the
	// number of disputes that were erased, which entries of an allowlist were cleared, which records were pruned and before when, or the kind of a new pending act.
	// Otherwise it is empty.
	Detail string `json:"detail,omitzero"`
}

// New returns the entry of an act of the actor of ctx. The caller sets the fields that describe
// the record.
func New(ctx context.Context, at time.Time, kind Kind, action Action) Entry {
	return Entry{At: at, Actor: ActorOf(ctx), Kind: kind, Action: action}
}

// IsZero reports whether the entry is none.
func (e Entry) IsZero() bool { return e == Entry{} }

// PageBytes returns how much of a page the entry takes.
func (e Entry) PageBytes() int { return 128 + len(e.Subject) + len(e.Detail) }

// On returns the entry for the record with the ID. A zero entry stays zero.
func (e Entry) On(id int64) Entry {
	if !e.IsZero() {
		e.Subject = strconv.FormatInt(id, 10)
	}
	return e
}

// About returns the organization and the user that the entry is about: its record, or those of its
// key or group. Each is 0 if there is none.
func (e Entry) About() (organizationID, userID int64) {
	subject, _ := strconv.ParseInt(e.Subject, 10, 64)
	if e.Kind == KindOrganization {
		return subject, 0
	}
	if e.Kind == KindUser {
		return 0, subject
	}
	return e.OrganizationID, e.UserID
}

// Stored returns the entry of a step that stores a record in the place of old, which is the zero
// value if there was none. It is CHANGED if there was one, and zero if the record stays the same.
func Stored[Record comparable](entry Entry, old, record Record) Entry {
	var none Record
	switch {
	case entry.IsZero(), old == record:
		return Entry{}
	case old != none:
		entry.Action = ActionChanged
	}
	return entry
}

// Kind is a kind of record that is administered.
type Kind string

// The kinds.
const (
	KindKey          Kind = "KEY"
	KindOrganization Kind = "ORGANIZATION"
	KindGroup        Kind = "GROUP"
	KindUser         Kind = "USER"
	KindWebhook      Kind = "WEBHOOK"
	// KindImport is the import of a list of assets, or of a seed.
	KindImport Kind = "IMPORT"
	// KindErasure is the erasure of a person's disputes. The removal of the person's users has
	// entries of its own.
	KindErasure Kind = "ERASURE"
	// KindList is a list that is kept in sync with a file. Its subject is the ID of the list. A sync
	// that changes nothing is no act.
	KindList Kind = "LIST"
	// KindPruning is the removal of old records.
	KindPruning Kind = "PRUNING"
	// KindPending is an act that waits for a second operator; see package pending. What it executes may have an entry of
	// its own.
	KindPending Kind = "PENDING"
)

var kinds = [...]Kind{KindKey, KindOrganization, KindGroup, KindUser, KindWebhook, KindImport, KindErasure, KindList, KindPruning, KindPending}

// Kinds returns all kinds in a new slice.
func Kinds() []Kind { return slices.Clone(kinds[:]) }

// Valid reports whether k is one of the kinds.
func (k Kind) Valid() bool { return slices.Contains(kinds[:], k) }

// Action is what was done.
type Action string

// The actions.
const (
	ActionCreated Action = "CREATED"
	ActionChanged Action = "CHANGED"
	ActionRemoved Action = "REMOVED"
	// ActionImported is that of a key whose text was chosen elsewhere.
	ActionImported Action = "IMPORTED"
	ActionRotated  Action = "ROTATED"
	ActionRevoked  Action = "REVOKED"
	// ActionExpirySet is that a key got another expiry, or none.
	ActionExpirySet Action = "EXPIRY_SET"
	ActionPaused    Action = "PAUSED"
	ActionResumed   Action = "RESUMED"
	ActionReplayed  Action = "REPLAYED"
	// ActionListStarted is the first change of status by the import of a list. The changelog has
	// all of its changes.
	ActionListStarted Action = "LIST_STARTED"
	// ActionSeeded is that of a seed in an empty store.
	ActionSeeded Action = "SEEDED"
	ActionErased Action = "ERASED"
	// ActionSynced is that a list holds what its file had. The changelog has the changes.
	ActionSynced Action = "SYNCED"
	// ActionDeactivated is that the keys of an organization or a user stopped granting access.
	ActionDeactivated Action = "DEACTIVATED"
	ActionReactivated Action = "REACTIVATED"
	// ActionCleared is the first removal of a call of allowlist.Service.Clear for an organization.
	ActionCleared Action = "CLEARED"
	// ActionPruned is the first removal of a call of apguard.Guard.Prune.
	ActionPruned Action = "PRUNED"
	// ActionApproved and ActionRejected are what a second operator does with a pending act.
	ActionApproved Action = "APPROVED"
	ActionRejected Action = "REJECTED"
)

var actions = [...]Action{
	ActionCreated, ActionChanged, ActionRemoved, ActionImported, ActionRotated, ActionRevoked, ActionExpirySet,
	ActionPaused, ActionResumed, ActionReplayed, ActionListStarted, ActionSeeded, ActionErased,
	ActionSynced, ActionDeactivated, ActionReactivated, ActionCleared, ActionPruned, ActionApproved, ActionRejected,
}

// Actions returns all actions in a new slice.
func Actions() []Action { return slices.Clone(actions[:]) }
