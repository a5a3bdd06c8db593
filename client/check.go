package client

import (
	"context"
	"errors"
	"fmt"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
)

// verdict is a [check.Verdict] in a response.
type verdict struct {
	Content   string        `json:"content"`
	Type      asset.Type    `json:"type"`
	Canonical string        `json:"canonical"`
	Status    asset.Status  `json:"status"`
	Source    check.Source  `json:"source"`
	Match     *matchBody    `json:"match"`
	Lists     []listOpinion `json:"lists"`
	// ListsFailed is absent in the responses of older servers.
	ListsFailed []string `json:"listsFailed"`
}

// matchBody is a [check.Match] in a response.
type matchBody struct {
	Kind    classify.CoverKind `json:"kind"`
	AssetID int64              `json:"assetId"`
	Type    asset.Type         `json:"type"`
	// Content is the canonical form of the asset.
	Content string       `json:"content"`
	Status  asset.Status `json:"status"`
	asset.Basis
}

// value returns the match, or nil if there is none.
func (b *matchBody) value() *check.Match {
	if b == nil {
		return nil
	}
	identity := asset.Identity{Type: b.Type, Canonical: b.Content}
	return &check.Match{Kind: b.Kind, Known: asset.Known{
		Asset: asset.Asset{ID: b.AssetID, Identity: identity, Status: b.Status}, Basis: b.Basis,
	}}
}

func (b *matchBody) validate() error {
	if b == nil {
		return nil
	}
	return validateAsset(b.value().Asset)
}

// listOpinion is a [check.ListVerdict] in a response.
type listOpinion struct {
	Name   string       `json:"name"`
	Status asset.Status `json:"status"`
}

func (o listOpinion) value() check.ListVerdict {
	return check.ListVerdict{List: o.Name, Status: o.Status}
}

func (o listOpinion) validate() error { return validateStatus(o.Status) }

// listFailure returns the failure of an external list.
func listFailure(name string) check.ListFailure {
	return check.ListFailure{List: name, Err: check.ErrListFailed}
}

// validate returns an error unless v is a verdict.
func (v verdict) validate() error {
	if !v.Status.Valid() || v.Source == "" || v.Canonical == "" {
		return responseError("it has no verdict")
	}
	return errors.Join(v.Match.validate(), validateAll(v.Lists, listOpinion.validate))
}

// value returns the verdict for the content of the request.
func (v verdict) value(content string) check.Verdict {
	return check.Verdict{
		Content:     content,
		Identity:    asset.Identity{Type: v.Type, Canonical: v.Canonical},
		Status:      v.Status,
		Source:      v.Source,
		Match:       v.Match.value(),
		Lists:       mapped(v.Lists, listOpinion.value),
		ListsFailed: mapped(v.ListsFailed, listFailure),
	}
}

// checkResult is a [check.Result] in a response.
type checkResult struct {
	verdict
	// Error and Reason are empty unless the content is refused.
	Error  string          `json:"error"`
	Reason classify.Reason `json:"reason"`
}

type checkRequest struct {
	Content string `json:"content"`
}

type checkBatchRequest struct {
	Contents []string `json:"contents"`
}

type checkBatchResponse struct {
	Results []checkResult `json:"results"`
	// contents are those of the request.
	contents []string
}

func (r *checkBatchResponse) validate() error {
	if len(r.Results) != len(r.contents) {
		return responseError(fmt.Sprintf("%d results for %d contents", len(r.Results), len(r.contents)))
	}
	for i := range r.Results {
		result := &r.Results[i]
		if result.Content != utf8Text(r.contents[i]) {
			return responseError("a result is that of another content")
		}
		if result.Error == "" {
			if err := result.validate(); err != nil {
				return err
			}
		} else if result.Status != "" || result.Reason == "" {
			return responseError("a refused content has a verdict, or no reason")
		}
	}
	return nil
}

// checkResponse is the verdict for one content.
type checkResponse struct {
	verdict
	content string
}

func (r *checkResponse) validate() error {
	if r.Content != r.content {
		return responseError("the verdict is that of another content")
	}
	return r.verdict.validate()
}

var _ check.Checker = (*Client)(nil)

// Check returns the verdict for a content, as the Checks of the server do. A content that is refused is an
// error that matches [ErrInvalid]: do not show it. It also matches [classify.ErrContentRequired] or
// [classify.ErrInvalidFormat]. The Issue of the [*Error] has the reason.
func (c *Client) Check(ctx context.Context, content string) (check.Verdict, error) {
	call, err := post("/asset/check", checkRequest{content})
	if err != nil {
		return check.Verdict{}, err
	}
	answer, err := fetch(ctx, c.sender, call, func(*response) checkResponse { return checkResponse{content: utf8Text(content)} })
	if err != nil {
		return check.Verdict{}, err
	}
	return answer.value(content), nil
}

// CheckBatch returns the results for 1 to [check.MaxItems] contents, in the same order. The Err of the result
// for a content that is refused is a [*classify.Error].
func (c *Client) CheckBatch(ctx context.Context, contents []string) ([]check.Result, error) {
	call, err := post("/asset/check/batch", checkBatchRequest{contents})
	if err != nil {
		return nil, err
	}
	answer, err := fetch(ctx, c.sender, call, func(*response) checkBatchResponse { return checkBatchResponse{contents: contents} })
	if err != nil {
		return nil, err
	}
	results := make([]check.Result, len(contents))
	for i, result := range answer.Results {
		results[i].Content = contents[i]
		if result.Error != "" {
			results[i].Err = &classify.Error{Reason: result.Reason}
		} else {
			results[i].Verdict = result.value(contents[i])
		}
	}
	return results, nil
}
