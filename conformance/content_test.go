package conformance_test

import (
	"errors"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
)

// content is what a rule about a content is given. Padding is how many letters "a" follow the text.
type content struct {
	Content string `json:"content"`
	Padding int    `json:"padding,omitempty"`
}

// identity is the answer of the rule of identity, or the reason to refuse the content.
type identity struct {
	Type      asset.Type       `json:"type,omitempty"`
	Canonical string           `json:"canonical,omitempty"`
	Network   classify.Network `json:"network,omitempty"`
	Reason    classify.Reason  `json:"reason,omitempty"`
	Character string           `json:"character,omitempty"`
	Offset    *int             `json:"offset,omitempty"`
}

func identify(_ require.TestingT, c content) identity {
	result, err := classify.Classify(c.Content + strings.Repeat("a", c.Padding))
	var refused *classify.Error
	if !errors.As(err, &refused) {
		return identity{Type: result.Type, Canonical: result.Canonical, Network: result.Network}
	}
	answer := identity{Reason: refused.Reason, Character: refused.Character}
	if refused.Character != "" {
		answer.Offset = &refused.Offset
	}
	return answer
}

// covers is the answer of the rule of covers, or the reason to refuse the content.
type covers struct {
	Covers []classify.Cover `json:"covers,omitempty"`
	Reason classify.Reason  `json:"reason,omitempty"`
}

func cover(_ require.TestingT, c content) covers {
	found, err := check.Covers(c.Content + strings.Repeat("a", c.Padding))
	return covers{Covers: found, Reason: reasonOf(err)}
}

// reasonOf returns the reason of an error of a check, or "".
func reasonOf(err error) classify.Reason {
	var refused *classify.Error
	if errors.As(err, &refused) {
		return refused.Reason
	}
	return ""
}
