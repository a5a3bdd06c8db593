package client

import (
	"context"
	"fmt"

	"github.com/apguard/apguard/asset"
)

// Source says what decided a verdict.
type Source string

// The sources of a verdict.
const (
	SourceAsset Source = "ASSET"
	SourceList  Source = "LIST"
	SourceNone  Source = "NONE"
)

// CoverKind says how the asset that decided covers the content.
type CoverKind string

// The kinds of covers.
const (
	// CoverExact is the asset itself.
	CoverExact CoverKind = "EXACT"
	// CoverURL is another link that covers it.
	CoverURL CoverKind = "URL"
	// CoverPage is a page of the same host.
	CoverPage CoverKind = "PAGE"
	// CoverDomain is the page of a parent domain, or of the domain of an e-mail address.
	CoverDomain CoverKind = "DOMAIN"
	// CoverAccount is a platform identifier that contains the content, or the account of an
	// address with a tag.
	CoverAccount CoverKind = "ACCOUNT"
)

// Verdict says whether a content may be shown.
type Verdict struct {
	// Content is the content as submitted.
	Content string     `json:"content"`
	Type    asset.Type `json:"type"`
	// Canonical is the canonical form of the asset.
	Canonical string       `json:"canonical"`
	Status    asset.Status `json:"status"`
	// Source is what decided.
	Source Source `json:"source"`
	// Match is the asset that decided. It is nil unless Source is [SourceAsset].
	Match *Match `json:"match"`
	// Lists are the external lists that have an opinion, whether they decided or not.
	Lists []ListOpinion `json:"lists"`
}

// Match is the asset that decided a verdict.
type Match struct {
	Kind    CoverKind  `json:"kind"`
	AssetID int64      `json:"assetId"`
	Type    asset.Type `json:"type"`
	// Content is the canonical form of the asset.
	Content string       `json:"content"`
	Status  asset.Status `json:"status"`
}

// ListOpinion is what an external list says. ALLOWED is an exemption, which allows nothing.
type ListOpinion struct {
	Name   string       `json:"name"`
	Status asset.Status `json:"status"`
}

// CheckResult is the verdict for a content in a batch, or the reason why it is refused.
type CheckResult struct {
	// Verdict has only the Content if the content is refused.
	Verdict
	// Error is empty unless the content is refused. This is not a verdict: do not show the content.
	Error string `json:"error"`
	// Reason is why, for programs, such as "UNKNOWN_SUFFIX".
	Reason string `json:"reason"`
}

// validate returns an error unless v is a verdict for the content.
func (v *Verdict) validate() error {
	if !v.Status.Valid() || v.Source == "" || v.Canonical == "" {
		return responseError("it has no verdict")
	}
	return nil
}

type checkRequest struct {
	Content string `json:"content"`
}

type checkBatchRequest struct {
	Contents []string `json:"contents"`
}

type checkBatchResponse struct {
	Results []CheckResult `json:"results"`
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
		} else if result.Status != "" {
			return responseError("a refused content has a verdict")
		}
	}
	return nil
}

// checkResponse is the verdict for one content.
type checkResponse struct {
	Verdict
	content string
}

func (r *checkResponse) validate() error {
	if r.Content != r.content {
		return responseError("the verdict is that of another content")
	}
	return r.Verdict.validate()
}

// Check returns whether a content may be shown. A content that is refused is an error that matches
// [ErrInvalid]: do not show it. The Issue of the [*Error] has the reason.
func (c *Client) Check(ctx context.Context, content string) (Verdict, error) {
	call, err := post("/asset/check", checkRequest{content})
	if err != nil {
		return Verdict{}, err
	}
	answer, err := fetch(ctx, c, call, func(*response) checkResponse { return checkResponse{content: utf8Text(content)} })
	return answer.Verdict, err
}

// CheckBatch returns the results for 1 to 1,000 contents, in the same order.
func (c *Client) CheckBatch(ctx context.Context, contents []string) ([]CheckResult, error) {
	call, err := post("/asset/check/batch", checkBatchRequest{contents})
	if err != nil {
		return nil, err
	}
	answer, err := fetch(ctx, c, call, func(*response) checkBatchResponse { return checkBatchResponse{contents: contents} })
	return answer.Results, err
}
