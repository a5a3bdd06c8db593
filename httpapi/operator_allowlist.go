package httpapi

import (
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/request"
)

// operatorEntries is a page of an allowlist for operators. What the organization wrote stays with it.
type operatorEntries struct {
	Assets     []operatorEntry `json:"assets"`
	NextCursor *int64          `json:"nextCursor"`
}

type operatorEntry struct {
	ID        int64        `json:"id"`
	Type      asset.Type   `json:"type"`
	Content   string       `json:"content"`
	Status    asset.Status `json:"status"`
	AddedAt   string       `json:"addedAt"`
	ExpiresAt *string      `json:"expiresAt"`
}

type clearedResponse struct {
	Removed    int    `json:"removed"`
	Changed    int    `json:"changed"`
	NextCursor *int64 `json:"nextCursor"`
}

// allowlistOperations returns the operations on the allowlist of any organization. They store no idempotency keys: a
// second clearing has no effect.
func (o operator) allowlistOperations() []operation {
	return []operation{
		costlyRead("/allowlist/list", answerJSON(request.Call.ListAllowlistOf, o.guard.Allowlist.List, newOperatorEntries)),
		costlyWrite("/allowlist/clear", answerJSON(request.Call.ClearAllowlist, o.guard.Allowlist.Clear, newClearedResponse)),
	}
}

func newOperatorEntries(page allowlist.Page) operatorEntries {
	return operatorEntries{Assets: mapped(page.Entries, newOperatorEntry), NextCursor: known(page.NextCursor)}
}

func newOperatorEntry(e allowlist.Entry) operatorEntry {
	return operatorEntry{
		ID:        e.Asset.ID,
		Type:      e.Asset.Type,
		Content:   e.Asset.Canonical,
		Status:    e.Asset.Status,
		AddedAt:   timestamp(e.AddedAt),
		ExpiresAt: knownTime(e.ExpiresAt),
	}
}

func newClearedResponse(cleared allowlist.Cleared) clearedResponse {
	return clearedResponse{cleared.Removed, cleared.Changed, known(cleared.NextCursor)}
}
