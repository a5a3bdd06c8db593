package rules

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
)

// Checked is the verdict for a content by hash lists, or why a check refuses the content.
type Checked struct {
	Type      asset.Type   `json:"type,omitempty"`
	Canonical string       `json:"canonical,omitempty"`
	Status    asset.Status `json:"status,omitempty"`
	Source    check.Source `json:"source,omitempty"`
	// Match is the asset that decided, or nil.
	Match   *CheckedMatch `json:"match,omitempty"`
	Refused *Refused      `json:"refused,omitempty"`
}

// CheckedMatch is the asset that decided. No ID of it is known.
type CheckedMatch struct {
	Kind    classify.CoverKind `json:"kind"`
	Type    asset.Type         `json:"type"`
	Content string             `json:"content"`
	Status  asset.Status       `json:"status"`
}

// CheckHashed returns the verdict for a content, a [Checked] in JSON, from a function that returns the
// status of a hash as [check.DecideHashed] needs it. [Call] does not have this rule, because the function
// is no JSON.
func CheckHashed(content string, statusOf func(hash uint64) asset.Status) ([]byte, error) {
	text, err := json.Marshal(checkHashed(content, statusOf))
	if err != nil {
		return nil, fmt.Errorf("encode the verdict: %w", err)
	}
	return text, nil
}

func checkHashed(content string, statusOf func(hash uint64) asset.Status) Checked {
	covers, err := check.Covers(content)
	if err != nil {
		var refused *classify.Error
		errors.As(err, &refused) // each error of Covers is one
		return Checked{Refused: newRefused(refused)}
	}
	verdict := check.DecideHashed(covers, statusOf)
	checked := Checked{Type: verdict.Type, Canonical: verdict.Canonical, Status: verdict.Status, Source: verdict.Source}
	if match := verdict.Match; match != nil {
		checked.Match = &CheckedMatch{Kind: match.Kind, Type: match.Type, Content: match.Canonical, Status: match.Status}
	}
	return checked
}
