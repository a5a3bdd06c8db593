package httpapi

import (
	"errors"
	"net/http"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/internal/request"
	"github.com/apguard/apguard/protect"
)

type addResponse struct {
	Results      []addResult `json:"results"`
	SuccessCount int         `json:"successCount"`
	ErrorCount   int         `json:"errorCount"`
}

type addResult struct {
	Content string `json:"content"`
	Success bool   `json:"success"`
	ID      int64  `json:"id,omitzero"`
	Error   string `json:"error,omitempty"`
}

// dryRunResponse is an addResponse with more in its results.
type dryRunResponse struct {
	Results      []dryRunResult `json:"results"`
	SuccessCount int            `json:"successCount"`
	ErrorCount   int            `json:"errorCount"`
	DryRun       bool           `json:"dryRun"`
}

type dryRunResult struct {
	addResult
	Status  *asset.Status  `json:"status"`
	Verdict *asset.Status  `json:"verdict"`
	Match   *matchResponse `json:"match"`
	Wide    *wideResponse  `json:"wide"`
}

// wideResponse says why nobody should allow an asset by accident.
type wideResponse struct {
	// Protection is null if only BlockedBelow is why.
	Protection   *asset.ProtectionReason `json:"protection"`
	BlockedBelow int                     `json:"blockedBelow"`
}

func newWideResponse(wide *protect.Wide) *wideResponse {
	if wide == nil {
		return nil
	}
	return &wideResponse{known(wide.Protection), wide.BlockedBelow}
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
	switch {
	case errors.Is(err, account.ErrOrganizationNotFound): // an Authenticator of the host application named it
		return apiError{status: http.StatusUnauthorized}
	case err != nil:
		return err
	}
	response, err := newAddResponse(added.Results)
	if err != nil {
		return err
	}
	if req.DryRun {
		recordListsFailed(w, firstFailed(added.Results, dryRunFailures))
		return w.writeJSON(newDryRunResponse(response, added.Results))
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
func newAddResponse(results []allowlist.Result) (addResponse, error) {
	response := addResponse{Results: make([]addResult, len(results))}
	for i, result := range results {
		message, err := request.ItemMessage(result.Err)
		if err != nil {
			return addResponse{}, err
		}
		response.Results[i] = addResult{Content: request.ReadableContent(result.Content), Error: message}
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

// newDryRunResponse returns the response body of a dry run with the results.
func newDryRunResponse(added addResponse, results []allowlist.Result) dryRunResponse {
	response := dryRunResponse{
		Results:      make([]dryRunResult, len(results)),
		SuccessCount: added.SuccessCount,
		ErrorCount:   added.ErrorCount,
		DryRun:       true,
	}
	for i, result := range results {
		response.Results[i] = dryRunResult{addResult: added.Results[i], Status: known(result.Status), Wide: newWideResponse(result.Wide)}
		if verdict := result.Verdict; verdict != nil {
			response.Results[i].Verdict, response.Results[i].Match = &verdict.Status, newMatchResponse(verdict.Match)
		}
	}
	return response
}

// dryRunFailures returns the failures of external lists about an item, which has no verdict if it is
// refused.
func dryRunFailures(result allowlist.Result) check.ListFailures {
	if result.Verdict == nil {
		return nil
	}
	return result.Verdict.ListsFailed
}
