package httpapi

import (
	"errors"
	"fmt"

	"github.com/apguard/apguard/allowlist"
)

type removeResponse struct {
	Results      []removeResult `json:"results"`
	SuccessCount int            `json:"successCount"`
	ErrorCount   int            `json:"errorCount"`
}

type removeResult struct {
	ID      int64  `json:"id"`
	Success bool   `json:"success"`
	Error   string `json:"error,omitempty"`
}

// removeAssets answers the removal of assets from the organization's allowlist.
func (p public) removeAssets(w *responseWriter, c call) error {
	req, err := c.request().RemoveFromAllowlist()
	if err != nil {
		return err
	}
	results, err := p.guard.Allowlist.Remove(c.Context(), req)
	if err != nil {
		return err
	}
	response, err := newRemoveResponse(results)
	if err != nil {
		return err
	}
	return w.writeJSON(response)
}

// newRemoveResponse returns the response body. It fails if a result has an unknown error.
func newRemoveResponse(results []allowlist.RemoveResult) (removeResponse, error) {
	response := removeResponse{Results: make([]removeResult, len(results))}
	for i, result := range results {
		response.Results[i] = removeResult{ID: result.AssetID, Success: result.Err == nil}
		switch {
		case result.Err == nil:
			response.SuccessCount++
		case errors.Is(result.Err, allowlist.ErrNotListed):
			response.Results[i].Error = "Asset not found in organization"
			response.ErrorCount++
		default:
			return removeResponse{}, fmt.Errorf("unknown error of a removed asset: %w", result.Err)
		}
	}
	return response, nil
}
