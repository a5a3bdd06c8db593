package httpapi

import (
	"context"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/request"
)

type explanationResponse struct {
	Asset explainedAsset `json:"asset"`
	// Change is null if no change explains the status.
	Change  *assetChange  `json:"change"`
	Dissent []listOpinion `json:"dissent"`
	exceptionsResponse
	AllowedBy allowedByResponse `json:"allowedBy"`
	Disputes  disputesResponse  `json:"disputes"`
}

// exceptionsResponse has the assets that stay ALLOWED below a BLOCKED asset.
type exceptionsResponse struct {
	Exceptions     []assetResponse `json:"exceptions"`
	MoreExceptions bool            `json:"moreExceptions"`
}

type statusSetResponse struct {
	assetResponse
	exceptionsResponse
}

// statusSet is the result of setStatus.
type statusSet struct {
	asset.Updated
	exceptions apguard.Exceptions
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
	namedOrganization
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
	Actor      *namedUser   `json:"actor"`
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
	recordListsFailed(w, explanation.ListsFailed)
	response := newExplanationResponse(explanation)
	o.setNames(w, c, response)
	return w.writeJSON(response)
}

// setStatus sets the status of an asset. It looks for exceptions first, so that nothing is stored
// if that fails.
func (o operator) setStatus(ctx context.Context, req asset.SetStatusRequest) (set statusSet, err error) {
	if req.Status == asset.StatusBlocked {
		if set.exceptions, err = o.guard.Exceptions(ctx, req.Identity); err != nil {
			return statusSet{}, err
		}
	}
	set.Updated, err = o.guard.Assets.SetStatus(ctx, req)
	return set, err
}

func updatedStatus(set statusSet) (statusSetResponse, bool) {
	return statusSetResponse{newAssetResponse(set.Asset), newExceptionsResponse(set.exceptions)}, set.Replayed
}

func newExceptionsResponse(e apguard.Exceptions) exceptionsResponse {
	return exceptionsResponse{mapped(e.Assets, newAssetResponse), e.More}
}

func newAssetChangesResponse(page asset.ChangePage) assetChangesResponse {
	return assetChangesResponse{
		Changes:    mapped(page.Changes, newAssetChange),
		NextCursor: known(request.TimeCursor(page.NextCursor).String()),
	}
}

func (r assetChangesResponse) addTo(n *names) {
	for _, change := range r.Changes {
		n.addUsers(change.Actor)
	}
}

func (r explanationResponse) addTo(n *names) {
	r.Disputes.addTo(n)
	if r.Change != nil {
		n.addUsers(r.Change.Actor)
	}
	for i := range r.AllowedBy.Organizations {
		n.addOrganizations(&r.AllowedBy.Organizations[i].namedOrganization)
	}
}

func newExplanationResponse(e apguard.Explanation) explanationResponse {
	response := explanationResponse{
		Asset:   explainedAsset{known(e.Asset.ID), e.Asset.Type, e.Asset.Canonical, e.Asset.Status},
		Dissent: mapped(e.Dissent, newListOpinion),

		exceptionsResponse: newExceptionsResponse(e.Exceptions),
		AllowedBy: allowedByResponse{
			Organizations: mapped(e.AllowedBy.Organizations, newAllowingOrganization),
			More:          e.AllowedBy.NextCursor != 0,
		},
		Disputes: newDisputesResponse(e.Disputes),
	}
	if e.Change != nil {
		change := newAssetChange(*e.Change)
		response.Change = &change
	}
	return response
}

func newAllowingOrganization(o allowlist.AllowingOrganization) allowingOrganization {
	return allowingOrganization{namedOrganization{ID: o.OrganizationID}, timestamp(o.AddedAt)}
}

func newAssetChange(change asset.Change) assetChange {
	return assetChange{
		ID:         change.ID,
		FromStatus: change.From,
		ToStatus:   change.To,
		UpdatedAt:  timestamp(change.At),
		Cause:      change.Origin.Cause,
		Actor:      newNamedUser(change.Origin.Actor),
		Reference:  known(change.Origin.Reference),
	}
}
