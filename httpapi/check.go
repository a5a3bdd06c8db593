package httpapi

import (
	"errors"
	"slices"
	"unicode/utf8"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/request"
)

type checkResponse struct {
	Content   string       `json:"content"`
	Type      asset.Type   `json:"type"`
	Canonical string       `json:"canonical"`
	Status    asset.Status `json:"status"`
	Source    check.Source `json:"source"`
	// Match is null unless Source is ASSET.
	Match *matchResponse `json:"match"`
	Lists []listOpinion  `json:"lists"`
	// ListsFailed has the names of the external lists that did not answer.
	ListsFailed []string `json:"listsFailed"`
}

type matchResponse struct {
	Kind    classify.CoverKind `json:"kind"`
	AssetID int64              `json:"assetId"`
	Type    asset.Type         `json:"type"`
	Content string             `json:"content"`
	Status  asset.Status       `json:"status"`
	basisResponse
}

type listOpinion struct {
	Name   string       `json:"name"`
	Status asset.Status `json:"status"`
}

type checkBatchResponse struct {
	// Results has a checkResponse or a refusedContent for each content.
	Results []any `json:"results"`
}

type refusedContent struct {
	Content string          `json:"content"`
	Error   string          `json:"error"`
	Reason  classify.Reason `json:"reason"`
}

// checkAsset answers whether an asset may be shown.
func (p public) checkAsset(w *responseWriter, c call) error {
	content, err := c.request().Check()
	if err != nil {
		return err
	}
	verdict, err := p.guard.Checks.Check(c.Context(), content)
	if err != nil {
		return err
	}
	recordListsFailed(w, verdict.ListsFailed)
	response := newCheckResponse(verdict)
	return w.writeJSON(&response) // the encoder copies what is not behind a pointer
}

// checkAssets answers the same for several assets.
func (p public) checkAssets(w *responseWriter, c call) error {
	contents, err := c.request().CheckBatch()
	if err != nil {
		return err
	}
	results, err := p.guard.Checks.CheckBatch(c.Context(), refusable(contents))
	if err != nil {
		return err
	}
	for i := range results {
		results[i].Content = request.ReadableContent(contents[i])
	}
	response, err := newCheckBatchResponse(results)
	if err != nil {
		return err
	}
	recordListsFailed(w, firstFailed(results, func(r check.Result) check.ListFailures { return r.ListsFailed }))
	return w.writeJSON(response)
}

// refusable returns the contents with one byte in place of each malformed one. A check of the byte
// refuses it. A check of a malformed link would answer for the link that browsers make of it.
func refusable(contents []string) []string {
	contents = slices.Clone(contents)
	for i, content := range contents {
		if !utf8.ValidString(content) {
			contents[i] = "\xff"
		}
	}
	return contents
}

func newCheckResponse(verdict check.Verdict) checkResponse {
	return checkResponse{
		Content:     verdict.Content,
		Type:        verdict.Type,
		Canonical:   verdict.Canonical,
		Status:      verdict.Status,
		Source:      verdict.Source,
		Match:       newMatchResponse(verdict.Match),
		Lists:       mapped(verdict.Lists, newListOpinion),
		ListsFailed: verdict.ListsFailed.Names(),
	}
}

func newMatchResponse(match *check.Match) *matchResponse {
	if match == nil {
		return nil
	}
	return &matchResponse{
		Kind: match.Kind, AssetID: match.ID, Type: match.Type, Content: match.Canonical, Status: match.Status,
		basisResponse: newBasisResponse(match.Basis),
	}
}

func newListOpinion(verdict check.ListVerdict) listOpinion {
	return listOpinion{Name: verdict.List, Status: verdict.Status}
}

// newCheckBatchResponse returns the response body. It fails if a result has an unknown
// error.
func newCheckBatchResponse(results []check.Result) (checkBatchResponse, error) {
	response := checkBatchResponse{Results: make([]any, len(results))}
	for i, result := range results {
		if result.Err == nil {
			response.Results[i] = newCheckResponse(result.Verdict)
			continue
		}
		message, err := request.ItemMessage(result.Err)
		if err != nil {
			return checkBatchResponse{}, err
		}
		response.Results[i] = refusedContent{result.Content, message, reasonOf(result.Err)}
	}
	return response, nil
}

// checkBody returns the error body of a check. The issue of a content that is refused has the
// reason.
func checkBody(e apiError) any {
	type issue struct {
		Message string          `json:"message"`
		Reason  classify.Reason `json:"reason,omitzero"`
	}
	var body errorBody[issue]
	body.Code, body.Message = e.codeAndMessage()
	for i, text := range request.IssueTexts(e.issues, asset.Issue.String) {
		body.Issues = append(body.Issues, issue{text, reasonOf(e.issues[i].Err)})
	}
	return body
}

// reasonOf returns why the classifier refused a content, or an empty Reason if it did not.
func reasonOf(err error) classify.Reason {
	var refused *classify.Error
	if errors.As(err, &refused) {
		return refused.Reason
	}
	return ""
}

// firstFailed returns the failures of external lists about the first element of a batch that has
// some. A list that does not answer fails for each of them.
func firstFailed[Result any](results []Result, failures func(Result) check.ListFailures) check.ListFailures {
	for _, result := range results {
		if failed := failures(result); len(failed) > 0 {
			return failed
		}
	}
	return nil
}

// recordListsFailed records that external lists did not answer, or nothing.
func recordListsFailed(w *responseWriter, failed check.ListFailures) {
	if err := failed.Err(); err != nil {
		w.recordError(err)
	}
}
