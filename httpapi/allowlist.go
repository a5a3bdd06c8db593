package httpapi

import (
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/httpapi/request"
)

type addResponse struct {
	Results      []addResult `json:"results"`
	SuccessCount int         `json:"successCount"`
	ErrorCount   int         `json:"errorCount"`
	DryRun       bool        `json:"dryRun,omitzero"`
}

type addResult struct {
	Content string `json:"content"`
	Success bool   `json:"success"`
	ID      int64  `json:"id,omitzero"`
	Error   string `json:"error,omitempty"`
	// Status is a string or null on a dry run, and absent otherwise.
	Status jsontext.Value `json:"status,omitzero"`
}

// addAssets answers the specification's "Organization asset batch add".
func (p public) addAssets(w *responseWriter, c call) error {
	req, err := c.request().AddToAllowlist()
	if req.DryRun && !mayReadStatuses(c.principal) {
		return apiError{status: http.StatusUnauthorized}
	}
	if err != nil {
		return err
	}
	added, err := p.guard.Allowlist.Add(c.Context(), req)
	if err != nil {
		return err
	}
	response, err := newAddResponse(added.Results, req.DryRun)
	if err != nil {
		return err
	}
	announceReplay(w.Header(), added.Replayed)
	return w.writeJSON(response)
}

// mayReadStatuses reports whether a dry run may tell the caller the statuses of assets.
func mayReadStatuses(p account.Principal) bool {
	return p.Has(account.ScopeCheck) || p.Has(account.ScopeChangelog)
}

// newAddResponse returns the response body. It fails if a result has an error without a
// message in the specification.
func newAddResponse(results []allowlist.Result, dryRun bool) (addResponse, error) {
	response := addResponse{Results: make([]addResult, len(results)), DryRun: dryRun}
	for i, result := range results {
		message, err := request.ItemMessage(result.Err)
		if err != nil {
			return addResponse{}, err
		}
		response.Results[i] = addResult{Content: result.Content, Error: message}
		if dryRun {
			response.Results[i].Status = statusOrNull(result.Status)
		}
		if result.Err != nil {
			response.ErrorCount++
			continue
		}
		response.Results[i].Success = true
		response.Results[i].ID = result.AssetID
		response.SuccessCount++
	}
	return response, nil
}

func statusOrNull(status asset.Status) jsontext.Value {
	if status == "" {
		return jsontext.Value("null")
	}
	return jsontext.Value(`"` + status + `"`)
}
