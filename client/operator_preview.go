package client

import (
	"context"
	"errors"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
)

// Count is a number of records.
type Count struct {
	Number int `json:"count"`
	// More reports whether there may be more.
	More bool `json:"more"`
}

// Preview says what a status of an asset would do before it is set.
type Preview struct {
	// Asset is the asset as it is. Its ID is 0 and its status UNKNOWN if it does not exist.
	Asset asset.Asset
	// Status is the status that it would have.
	Status asset.Status
	// Verdict is what a check of the asset would answer then.
	Verdict check.Verdict
	// Protection says why the asset is protected, or nil if it is not. Blocking it then takes a confirmation.
	Protection *asset.Protection
	// Wide says why nobody should allow the asset by accident, if the status is ALLOWED. It is nil for most assets.
	Wide *Wide
	// Above has the first assets that cover the asset and are ALLOWED or BLOCKED, the most specific one first.
	// AboveCount is the number of all of them.
	Above      []check.Match
	AboveCount int
	// Below has the first assets that the asset covers, of any status, in the order of their IDs, and BelowCount
	// counts all of them.
	Below      []asset.Asset
	BelowCount Count
	// Exceptions are those below that would stay ALLOWED, if the status is BLOCKED.
	Exceptions Exceptions
	// AllowedBy counts the organizations that have the asset on their allowlist.
	AllowedBy Count
	// OpenDisputes and OpenReports count the disputes and reports about the asset that wait for a decision.
	OpenDisputes Count
	OpenReports  Count
}

// coverBody is a [check.Match] in a response.
type coverBody struct {
	Kind classify.CoverKind `json:"kind"`
	assetBody
	asset.Basis
}

func (b coverBody) value() check.Match {
	return check.Match{Kind: b.Kind, Known: asset.Known{Asset: b.assetBody.value(), Basis: b.Basis}}
}

type previewAnswer struct {
	Asset   assetBody    `json:"asset"`
	Status  asset.Status `json:"status"`
	Verdict struct {
		Status      asset.Status  `json:"status"`
		Source      check.Source  `json:"source"`
		Match       *coverBody    `json:"match"`
		Lists       []listOpinion `json:"lists"`
		ListsFailed []string      `json:"listsFailed"`
	} `json:"verdict"`
	Protection *struct {
		Reason asset.ProtectionReason `json:"reason"`
		By     string                 `json:"by"`
	} `json:"protection"`
	Wide  *Wide `json:"wide"`
	Above struct {
		Assets []coverBody `json:"assets"`
		Count  int         `json:"count"`
	} `json:"above"`
	Below struct {
		Assets []assetBody `json:"assets"`
		Count
	} `json:"below"`
	exceptionsBody
	AllowedBy    Count `json:"allowedBy"`
	OpenDisputes Count `json:"openDisputes"`
	OpenReports  Count `json:"openReports"`
}

func (a *previewAnswer) validate() error {
	if !a.Status.Valid() || !a.Verdict.Status.Valid() || a.Verdict.Source == "" {
		return responseError("it has no verdict")
	}
	if a.Verdict.Match != nil {
		if err := a.Verdict.Match.validate(); err != nil {
			return err
		}
	}
	return errors.Join(
		a.Asset.validate(), validateAll(a.Verdict.Lists, listOpinion.validate), validateAll(a.Above.Assets, func(b coverBody) error { return b.validate() }),
		validateAll(a.Below.Assets, assetBody.validate), a.exceptionsBody.validate(),
	)
}

func (a *previewAnswer) value() Preview {
	preview := Preview{
		Asset:  a.Asset.value(),
		Status: a.Status,
		Verdict: check.Verdict{
			Content: a.Asset.Content, Identity: a.Asset.value().Identity, Status: a.Verdict.Status, Source: a.Verdict.Source,
			Lists: mapped(a.Verdict.Lists, listOpinion.value), ListsFailed: mapped(a.Verdict.ListsFailed, listFailure),
		},
		Protection:   (*asset.Protection)(a.Protection),
		Wide:         a.Wide,
		Above:        mapped(a.Above.Assets, coverBody.value),
		AboveCount:   a.Above.Count,
		Below:        mapped(a.Below.Assets, assetBody.value),
		BelowCount:   a.Below.Count,
		Exceptions:   a.exceptionsBody.value(),
		AllowedBy:    a.AllowedBy,
		OpenDisputes: a.OpenDisputes,
		OpenReports:  a.OpenReports,
	}
	if a.Verdict.Match != nil {
		match := a.Verdict.Match.value()
		preview.Verdict.Match = &match
	}
	return preview
}

// Preview returns what a status of an asset, in any spelling, would do if the operators set it, and stores nothing.
func (o *Operator) Preview(ctx context.Context, content string, status asset.Status) (Preview, error) {
	call, err := post("/asset/preview", struct {
		Content string       `json:"content"`
		Status  asset.Status `json:"status"`
	}{content, status})
	if err != nil {
		return Preview{}, err
	}
	answer, err := fetch(ctx, o.sender, call, func(*response) (answer previewAnswer) { return answer })
	if err != nil {
		return Preview{}, err
	}
	return answer.value(), nil
}
