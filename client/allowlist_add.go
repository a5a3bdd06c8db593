package client

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
)

// AddRequest adds assets to the allowlist of the key's organization.
type AddRequest struct {
	// Assets are 1 to 1,000 assets.
	Assets []Item `json:"assets"`
	// DryRun asks for the results without adding anything.
	DryRun bool `json:"dryRun,omitzero"`
	// IdempotencyKey has 1 to 255 visible ASCII characters. If it is empty, the call has a key of its
	// own.
	IdempotencyKey string `json:"-"`
}

// Item is an asset to add to an allowlist.
type Item struct {
	// Content is the asset, in any spelling.
	Content     string `json:"content"`
	Name        string `json:"name,omitzero"`
	Description string `json:"description,omitzero"`
	// GroupID is a group of the organization, or 0 for none.
	GroupID int64 `json:"groupId,omitzero"`
	// ExpiresAt is when the asset leaves the allowlist. It is zero for no end.
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
	// RefuseBlocked refuses the asset if it or a broader asset is BLOCKED. Without it, the asset becomes
	// ALLOWED for everyone.
	RefuseBlocked bool `json:"refuseBlocked,omitzero"`
}

// AddResponse is the response of [Client.AddToAllowlist].
type AddResponse struct {
	// Results are those of the assets, in the same order.
	Results      []AddResult `json:"results"`
	SuccessCount int         `json:"successCount"`
	ErrorCount   int         `json:"errorCount"`
	// DryRun reports whether nothing was stored.
	DryRun bool `json:"dryRun"`
	// Replayed reports whether the request was executed before, with the same key. The response is
	// that of the first request.
	Replayed bool `json:"-"`
}

// AddResult is the result of an asset.
type AddResult struct {
	// Content is the content as submitted.
	Content string `json:"content"`
	Success bool   `json:"success"`
	// ID is the ID of the asset. It is 0 if the asset was not added, or does not exist on a dry run.
	ID int64 `json:"id"`
	// Error says why the asset was not added.
	Error string `json:"error"`

	// Status is the present status on a dry run. It is empty if the asset does not exist yet, or is
	// refused.
	Status asset.Status `json:"status"`
	// Verdict is what a check says on a dry run, or empty if the asset is refused.
	Verdict asset.Status `json:"verdict"`
	// Match is the asset that decides that, or nil.
	Match *check.Match `json:"match"`
	// Wide says why nobody should add the asset by accident. It is nil unless a dry run would add the asset, and for
	// most assets.
	Wide *Wide `json:"wide"`
}

// Wide says why nobody should allow an asset by accident: it is a whole host, and ALLOWED would let through what others
// put there, unless that is BLOCKED by itself.
type Wide struct {
	// Protection says why the host is protected, or is empty if it is not.
	Protection asset.ProtectionReason `json:"protection"`
	// BlockedBelow is the number of BLOCKED assets below it, as far as they were examined.
	BlockedBelow int `json:"blockedBelow"`
}

// UnmarshalJSON implements [json.Unmarshaler].
func (r *AddResult) UnmarshalJSON(text []byte) error {
	type plain AddResult
	body := struct {
		*plain
		Match *matchBody `json:"match"`
	}{plain: (*plain)(r)}
	err := json.Unmarshal(text, &body)
	r.Match = body.Match.value()
	return err
}

// addAnswer is a response to a request for that many assets.
type addAnswer struct {
	AddResponse
	assets int
	dryRun bool
}

func (a *addAnswer) validate() error {
	if err := validateResults(len(a.Results), a.assets); err != nil {
		return err
	}
	if a.DryRun != a.dryRun {
		return responseError("a dry run was asked for, or was not, and the response says the opposite")
	}
	for _, result := range a.Results {
		switch {
		case result.Success == (result.Error != ""):
			return responseError("a result is neither a success nor an error")
		case result.Success && !a.DryRun && !asset.ValidID(result.ID):
			return responseError("an added asset has no ID")
		case !isStatusOrNone(result.Status), !isStatusOrNone(result.Verdict), result.Match != nil && !result.Match.Status.Valid():
			return responseError("unknown status")
		}
	}
	return nil
}

func isStatusOrNone(status asset.Status) bool { return status == "" || status.Valid() }

// validateResults returns an error unless there is a result for each item of the request.
func validateResults(results, items int) error {
	if results != items {
		return responseError(fmt.Sprintf("%d results for %d items", results, items))
	}
	return nil
}

// AddToAllowlist adds assets to the allowlist of the key's organization. Each asset succeeds or fails by
// itself, and those that are added become ALLOWED. An unknown group refuses the whole request, with
// an error that matches [ErrNotFound].
func (c *Client) AddToAllowlist(ctx context.Context, req AddRequest) (AddResponse, error) {
	call, err := write(allowlistPath, req.IdempotencyKey, req)
	if err != nil {
		return AddResponse{}, err
	}
	answer, err := fetch(ctx, c.sender, call, func(r *response) addAnswer {
		return addAnswer{AddResponse: AddResponse{Replayed: isReplay(r)}, assets: len(req.Assets), dryRun: req.DryRun}
	})
	return answer.AddResponse, err
}

// isReplay reports whether a response is that of an earlier request with the same key.
func isReplay(r *response) bool {
	return r.header.Get("Idempotency-Replayed") == "true"
}
