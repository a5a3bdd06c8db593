package httpapi

import (
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/internal/request"
)

type removeResponse struct {
	Results      []removeResult `json:"results"`
	SuccessCount int            `json:"successCount"`
	ErrorCount   int            `json:"errorCount"`
}

type removeResult struct {
	// Content is absent if the request has IDs, and ID for an asset that the request names by a
	// content and that was not removed.
	Content *string `json:"content,omitzero"`
	ID      int64   `json:"id,omitzero"`
	Success bool    `json:"success"`
	Error   string  `json:"error,omitempty"`
}

// removeAssets answers the removal of assets from the organization's allowlist.
func (p public) removeAssets(w *responseWriter, c call) error {
	req, err := c.request().RemoveFromAllowlist()
	if err != nil {
		return err
	}
	removed, err := p.guard.Allowlist.Remove(c.Context(), req)
	if err != nil {
		return err
	}
	response, err := newRemoveResponse(removed.Results, req.Contents != nil)
	if err != nil {
		return err
	}
	announceReplay(w.Header(), removed.Replayed)
	return w.writeJSON(response)
}

// newRemoveResponse returns the response body. It fails if a result has an unknown error.
func newRemoveResponse(results []allowlist.RemoveResult, byContent bool) (removeResponse, error) {
	response := removeResponse{Results: make([]removeResult, len(results))}
	for i, result := range results {
		message, err := request.ItemMessage(result.Err)
		if err != nil {
			return removeResponse{}, err
		}
		response.Results[i] = removeResult{ID: result.AssetID, Success: result.Err == nil, Error: message}
		if byContent {
			content := request.ReadableContent(result.Content)
			response.Results[i].Content = &content
		}
		if result.Err == nil {
			response.SuccessCount++
		} else {
			response.ErrorCount++
		}
	}
	return response, nil
}
