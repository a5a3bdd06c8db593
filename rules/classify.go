package rules

import (
	"errors"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
)

// Classified is the asset that a content names, or why the content is refused.
type Classified struct {
	Type      asset.Type       `json:"type,omitempty"`
	Canonical string           `json:"canonical,omitempty"`
	Network   classify.Network `json:"network,omitempty"`
	Refused   *Refused         `json:"refused,omitempty"`
}

// Refused says why a content is refused.
type Refused struct {
	Reason  classify.Reason `json:"reason"`
	Message string          `json:"message"`
	// Character and Offset have the meaning of the fields of [classify.Error].
	Character string `json:"character,omitempty"`
	Offset    int    `json:"offset,omitempty"`
}

type contents struct {
	Contents []string `json:"contents"`
}

func classifyAll(c contents) []Classified {
	classified := make([]Classified, len(c.Contents))
	for i, content := range c.Contents {
		result, err := classify.Classify(content)
		var refused *classify.Error
		if errors.As(err, &refused) {
			classified[i].Refused = newRefused(refused)
			continue
		}
		classified[i] = Classified{Type: result.Type, Canonical: result.Canonical, Network: result.Network}
	}
	return classified
}

func newRefused(err *classify.Error) *Refused {
	return &Refused{Reason: err.Reason, Message: err.Error(), Character: err.Character, Offset: err.Offset}
}

// Explained is a classification with the steps that led to it.
type Explained struct {
	Classified
	Rule     classify.Rule      `json:"rule,omitempty"`
	Rewrites []classify.Rewrite `json:"rewrites"`
	Tried    []classify.Attempt `json:"tried"`
	// Opens is the link that a browser opens for a content that is refused. A check answers for
	// it. Opens is empty if there is none, and for an asset.
	Opens string `json:"opens,omitempty"`
	// Refanged is the canonical form of the asset that a content means which is refused because
	// it is disarmed for display; see [classify.Refang]. It is empty if there is none.
	Refanged string `json:"refanged,omitempty"`
	// Covers are the assets whose status counts for the content or the link that it opens, the
	// most specific first. It is empty if a check refuses the content.
	Covers []classify.Cover `json:"covers"`
	// LooksLike is the domain in ASCII that the host of the content or the link that it opens
	// looks like; see [classify.LookAlike]. It is empty if there is none.
	LooksLike string `json:"looksLike,omitempty"`
}

type content struct {
	Content string `json:"content"`
}

func explain(c content) Explained {
	explanation := classify.Explain(c.Content)
	explained := Explained{
		Rule:     explanation.Rule,
		Rewrites: append([]classify.Rewrite{}, explanation.Rewrites...),
		Tried:    append([]classify.Attempt{}, explanation.Tried...),
		Covers:   []classify.Cover{},
	}
	if explanation.Err != nil {
		explained.Refused = newRefused(explanation.Err)
		if covers, err := check.Covers(c.Content); err == nil {
			explained.Opens, explained.Covers = covers[0].Canonical, covers
			explained.LooksLike, _ = classify.LookAlike(covers[0].Identity)
		}
		if explanation.Err.Reason == classify.ReasonDefanged {
			meant, _ := classify.Classify(classify.Refang(c.Content)) // or it is zero
			explained.Refanged = meant.Canonical
		}
		return explained
	}
	result := explanation.Result
	explained.Classified = Classified{Type: result.Type, Canonical: result.Canonical, Network: result.Network}
	explained.Covers = classify.Covering(result.Identity)
	explained.LooksLike, _ = classify.LookAlike(result.Identity)
	return explained
}
