package httpapi

import (
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
)

// entriesResponse is a page of an allowlist. Unknown values are null.
type entriesResponse struct {
	Assets     []entryResponse `json:"assets"`
	NextCursor *int64          `json:"nextCursor"`
}

type entryResponse struct {
	ID          int64        `json:"id"`
	Type        asset.Type   `json:"type"`
	Content     string       `json:"content"`
	Submitted   string       `json:"submitted"`
	Name        *string      `json:"name"`
	Description *string      `json:"description"`
	GroupID     *int64       `json:"groupId"`
	AddedAt     string       `json:"addedAt"`
	ExpiresAt   *string      `json:"expiresAt"`
	Status      asset.Status `json:"status"`
}

func newEntriesResponse(page allowlist.Page) entriesResponse {
	return entriesResponse{Assets: mapped(page.Entries, newEntryResponse), NextCursor: known(page.NextCursor)}
}

func newEntryResponse(e allowlist.Entry) entryResponse {
	return entryResponse{
		ID:          e.Asset.ID,
		Type:        e.Asset.Type,
		Content:     e.Asset.Canonical,
		Submitted:   e.Content,
		Name:        known(e.Name),
		Description: known(e.Description),
		GroupID:     known(e.GroupID),
		AddedAt:     timestamp(e.AddedAt),
		ExpiresAt:   knownTime(e.ExpiresAt),
		Status:      e.Asset.Status,
	}
}
