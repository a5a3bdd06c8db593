package client

import "context"

// RemoveRequest removes assets from the allowlist of the key's organization. Either IDs or Contents must
// have 1 to 1,000 elements.
type RemoveRequest struct {
	// IDs are the IDs of the assets.
	IDs []int64 `json:"ids,omitempty"`
	// Contents are the assets, in any spelling.
	Contents []string `json:"contents,omitempty"`
	// IdempotencyKey has 1 to 255 visible ASCII characters. If it is empty, the call has a key of its
	// own.
	IdempotencyKey string `json:"-"`
}

// RemoveResponse is the response of [Client.RemoveFromAllowlist].
type RemoveResponse struct {
	// Results are those of the IDs or contents, in the same order.
	Results      []RemoveResult `json:"results"`
	SuccessCount int            `json:"successCount"`
	ErrorCount   int            `json:"errorCount"`
	// Replayed reports whether the request was executed before, with the same key.
	Replayed bool `json:"-"`
}

// RemoveResult is the result of an ID or a content.
type RemoveResult struct {
	// Content is the content as submitted, or empty.
	Content string `json:"content"`
	// ID is the ID of the asset, or 0 if it is unknown.
	ID      int64 `json:"id"`
	Success bool  `json:"success"`
	// Error says why the asset was not removed.
	Error string `json:"error"`
}

// removeAnswer is a response to a request for that many assets.
type removeAnswer struct {
	RemoveResponse
	assets int
}

func (a *removeAnswer) validate() error {
	if err := validateResults(len(a.Results), a.assets); err != nil {
		return err
	}
	for _, result := range a.Results {
		if result.Success == (result.Error != "") {
			return responseError("a result is neither a success nor an error")
		}
	}
	return nil
}

// RemoveFromAllowlist removes assets from the allowlist of the key's organization. Each asset succeeds or
// fails by itself.
func (c *Client) RemoveFromAllowlist(ctx context.Context, req RemoveRequest) (RemoveResponse, error) {
	call, err := write(allowlistPath+"/remove", req.IdempotencyKey, req)
	if err != nil {
		return RemoveResponse{}, err
	}
	answer, err := fetch(ctx, c.sender, call, func(r *response) removeAnswer {
		return removeAnswer{RemoveResponse: RemoveResponse{Replayed: isReplay(r)}, assets: len(req.IDs) + len(req.Contents)}
	})
	return answer.RemoveResponse, err
}
