package rules

import (
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/request"
)

type planRequest struct {
	// Body is the body of a batch add.
	Body string `json:"body"`
	// At is the time at which the request is sent, for the ends of entries.
	At time.Time `json:"at"`
}

// Plan is what a batch add says before any store is asked.
type Plan struct {
	Validity
	// Assets has one element for each asset of the request, in order. It is empty if the
	// request is invalid.
	Assets []PlannedAsset `json:"assets"`
}

// PlannedAsset is the asset of an element, or why the server refuses the element.
type PlannedAsset struct {
	Type      asset.Type `json:"type,omitempty"`
	Canonical string     `json:"canonical,omitempty"`
	// Error is the message of the server's result. It is empty if nothing in the request refuses
	// the element; the server may still refuse it, because the allowlist has the asset.
	Error string `json:"error,omitempty"`
	// LooksLike is the domain in ASCII that the host of the asset looks like; see
	// [classify.LookAlike]. It is empty if there is none.
	LooksLike string `json:"looksLike,omitempty"`
}

func (r planRequest) plan() Plan {
	add, err := Request{Body: r.Body}.call().AddToAllowlist()
	plan := Plan{Validity: validity(err), Assets: []PlannedAsset{}}
	if err != nil {
		return plan
	}
	for _, planned := range add.Plan(r.At) {
		message, _ := request.ItemMessage(planned.Err) // every error of a plan has one
		looksLike, _ := classify.LookAlike(planned.Identity)
		plan.Assets = append(plan.Assets, PlannedAsset{
			Type: planned.Identity.Type, Canonical: planned.Identity.Canonical, Error: message, LooksLike: looksLike,
		})
	}
	return plan
}
