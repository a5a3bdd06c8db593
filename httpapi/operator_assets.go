package httpapi

import (
	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/httpapi/request"
)

type explanationResponse struct {
	Asset explainedAsset `json:"asset"`
	// Change is null if no change explains the status.
	Change    *assetChange      `json:"change"`
	Dissent   []listOpinion     `json:"dissent"`
	AllowedBy allowedByResponse `json:"allowedBy"`
	Disputes  disputesResponse  `json:"disputes"`
}

type explainedAsset struct {
	// ID is null if only an external list knows the asset.
	ID      *int64       `json:"id"`
	Type    asset.Type   `json:"type"`
	Content string       `json:"content"`
	Status  asset.Status `json:"status"`
}

type allowedByResponse struct {
	Organizations []allowingOrganization `json:"organizations"`
	// More is true if there are more organizations.
	More bool `json:"more"`
}

type allowingOrganization struct {
	ID      int64  `json:"id"`
	AddedAt string `json:"addedAt"`
}

type assetChangesResponse struct {
	Changes    []assetChange `json:"changes"`
	NextCursor *string       `json:"nextCursor"`
}

// assetChange is a change with its origin, which only operators see.
type assetChange struct {
	ID         int64        `json:"id"`
	FromStatus asset.Status `json:"fromStatus"`
	ToStatus   asset.Status `json:"toStatus"`
	UpdatedAt  string       `json:"updatedAt"`
	Cause      asset.Cause  `json:"cause"`
	Actor      *int64       `json:"actor"`
	Reference  *string      `json:"reference"`
}

// explainAsset answers why an asset has its status.
func (o operator) explainAsset(w *responseWriter, c call) error {
	content, err := c.request().ExplainAsset()
	if err != nil {
		return err
	}
	explanation, err := o.guard.Explain(c.Context(), content)
	if err != nil {
		return err
	}
	recordListError(w, explanation.ListErr)
	return w.writeJSON(newExplanationResponse(explanation))
}

// listAssetChanges answers the history of an asset.
func (o operator) listAssetChanges(w *responseWriter, c call) error {
	req, err := c.request().ListAssetChanges()
	if err != nil {
		return err
	}
	page, err := o.guard.Assets.ListChanges(c.Context(), req)
	if err != nil {
		return err
	}
	response := assetChangesResponse{
		Changes:    make([]assetChange, len(page.Changes)),
		NextCursor: known(request.TimeCursor(page.NextCursor).String()),
	}
	for i, change := range page.Changes {
		response.Changes[i] = newAssetChange(change)
	}
	return w.writeJSON(response)
}

// setAssetStatus sets the status of an asset.
func (o operator) setAssetStatus(w *responseWriter, c call) error {
	req, err := c.request().SetAssetStatus()
	if err != nil {
		return err
	}
	changed, err := o.guard.Assets.SetStatus(c.Context(), req)
	if err != nil {
		return err
	}
	return w.writeJSON(newAssetResponse(changed))
}

func newExplanationResponse(e apguard.Explanation) explanationResponse {
	response := explanationResponse{
		Asset:   explainedAsset{known(e.Asset.ID), e.Asset.Type, e.Asset.Canonical, e.Asset.Status},
		Dissent: newListOpinions(e.Dissent),
		AllowedBy: allowedByResponse{
			Organizations: make([]allowingOrganization, len(e.AllowedBy.Organizations)),
			More:          e.AllowedBy.NextCursor != 0,
		},
		Disputes: newDisputesResponse(e.Disputes),
	}
	if e.Change != nil {
		change := newAssetChange(*e.Change)
		response.Change = &change
	}
	for i, organization := range e.AllowedBy.Organizations {
		response.AllowedBy.Organizations[i] = allowingOrganization{organization.OrganizationID, timestamp(organization.AddedAt)}
	}
	return response
}

func newAssetChange(change asset.Change) assetChange {
	return assetChange{
		ID:         change.ID,
		FromStatus: change.From,
		ToStatus:   change.To,
		UpdatedAt:  timestamp(change.At),
		Cause:      change.Origin.Cause,
		Actor:      known(change.Origin.Actor),
		Reference:  known(change.Origin.Reference),
	}
}
