package httpapi

import (
	"context"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
)

type previewResponse struct {
	// Asset is the asset as it is.
	Asset explainedAsset `json:"asset"`
	// Status is the status that the asset would have.
	Status  asset.Status   `json:"status"`
	Verdict previewVerdict `json:"verdict"`
	// Protection is null if the asset is not protected.
	Protection *protectionResponse `json:"protection"`
	// Wide is null unless the status is ALLOWED, and for most assets.
	Wide  *wideResponse `json:"wide"`
	Above aboveResponse `json:"above"`
	Below belowResponse `json:"below"`
	exceptionsResponse
	AllowedBy    countResponse `json:"allowedBy"`
	OpenDisputes countResponse `json:"openDisputes"`
	OpenReports  countResponse `json:"openReports"`
}

type previewVerdict struct {
	Status asset.Status `json:"status"`
	Source check.Source `json:"source"`
	// Match is null unless Source is ASSET.
	Match *coverResponse `json:"match"`
	Lists []listOpinion  `json:"lists"`
	// ListsFailed has the names of the external lists that did not answer.
	ListsFailed []string `json:"listsFailed"`
}

// coverResponse is an asset that covers another one.
type coverResponse struct {
	Kind classify.CoverKind `json:"kind"`
	explainedAsset
	basisResponse
}

type protectionResponse struct {
	Reason asset.ProtectionReason `json:"reason"`
	By     string                 `json:"by"`
}

type aboveResponse struct {
	Assets []coverResponse `json:"assets"`
	Count  int             `json:"count"`
}

type belowResponse struct {
	Assets []assetResponse `json:"assets"`
	countResponse
}

type countResponse struct {
	Count int `json:"count"`
	// More is true if there may be more.
	More bool `json:"more"`
}

func (o operator) preview(ctx context.Context, item asset.StatusItem) (apguard.Preview, error) {
	return o.guard.Preview(ctx, apguard.PreviewRequest{Identity: item.Identity, Status: item.Status})
}

func newPreviewResponse(p apguard.Preview) previewResponse {
	response := previewResponse{
		Asset:  newExplainedAsset(p.Asset),
		Status: p.After.Status,
		Verdict: previewVerdict{
			Status:      p.Verdict.Status,
			Source:      p.Verdict.Source,
			Lists:       mapped(p.Verdict.Lists, newListOpinion),
			ListsFailed: p.Verdict.ListsFailed.Names(),
		},
		Wide:               newWideResponse(p.Wide),
		Above:              aboveResponse{mapped(p.Above, newCoverResponse), p.AboveCount},
		Below:              belowResponse{mapped(p.Below, newAssetResponse), newCountResponse(p.BelowCount)},
		exceptionsResponse: newExceptionsResponse(p.Exceptions),
		AllowedBy:          newCountResponse(p.AllowedBy),
		OpenDisputes:       newCountResponse(p.OpenDisputes),
		OpenReports:        newCountResponse(p.OpenReports),
	}
	if p.Verdict.Match != nil {
		match := newCoverResponse(*p.Verdict.Match)
		response.Verdict.Match = &match
	}
	if p.Protection != nil {
		response.Protection = &protectionResponse{p.Protection.Reason, p.Protection.By}
	}
	return response
}

func newCoverResponse(match check.Match) coverResponse {
	return coverResponse{match.Kind, newExplainedAsset(match.Asset), newBasisResponse(match.Basis)}
}

func newCountResponse(c apguard.Count) countResponse { return countResponse{c.Number, c.More} }
