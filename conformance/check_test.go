package conformance_test

import (
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
)

// checked is what the rule of a check is given.
type checked struct {
	Content string              `json:"content"`
	Assets  []status            `json:"assets"`
	Lists   []check.ListVerdict `json:"lists,omitempty"`
}

// status is an asset with its status.
type status struct {
	asset.Identity
	Status asset.Status `json:"status"`
}

// verdict is the answer of the rule of a check.
type verdict struct {
	asset.Identity
	Status asset.Status        `json:"status"`
	Source check.Source        `json:"source"`
	Match  *match              `json:"match,omitempty"`
	Lists  []check.ListVerdict `json:"lists,omitempty"`
}

// match is the asset that decided.
type match struct {
	Kind classify.CoverKind `json:"kind"`
	status
}

func decide(t require.TestingT, c checked) verdict {
	found, err := check.Covers(c.Content)
	require.NoError(t, err)
	return verdictOf(check.Decide(found, func(id asset.Identity) (asset.Known, bool) {
		for _, a := range c.Assets {
			if a.Identity == id {
				return asset.Known{Asset: asset.Asset{Identity: id, Status: a.Status}}, true
			}
		}
		return asset.Known{}, false
	}, c.Lists))
}

func verdictOf(v check.Verdict) verdict {
	answer := verdict{Identity: v.Identity, Status: v.Status, Source: v.Source, Lists: v.Lists}
	if v.Match != nil {
		answer.Match = &match{v.Match.Kind, status{v.Match.Identity, v.Match.Status}}
	}
	return answer
}
