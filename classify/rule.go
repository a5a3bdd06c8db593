package classify

import "github.com/apguard/apguard/asset"

// rule judges a text by one of the forms that an asset can have.
type rule func(s *subject) verdict

// rules holds every rule, in the order in which they are tried.
var rules = [...]rule{
	tryWebLink,
	tryOtherScheme,
	tryAddress,
	tryPlatformLink,
	tryPage,
	tryEmail,
	tryHandle,
}

// applyRules returns the result of the first rule that takes the text, or the
// reason why none does. If several rules came close, the last of them tells the
// reason: the rules that suit a text best come late.
func applyRules(text string) (Result, Reason) {
	s := &subject{text: text}
	reason := ReasonUnrecognised
	for _, rule := range rules {
		switch v := rule(s); v.answer {
		case answerMine:
			if len(v.result.Canonical) > MaxContent {
				return Result{}, ReasonTooLong
			}
			return v.result, ""
		case answerRefused:
			return Result{}, v.reason
		case answerNotMine:
			if v.reason != ReasonUnrecognised {
				reason = v.reason
			}
		}
	}
	return Result{}, reason
}

// subject is the text under examination, with what several rules need to know
// of it.
type subject struct {
	text string

	bare       link
	bareReason Reason
	bareDone   bool
}

// bareLink reads the text as a link that lacks its https://, once for all rules.
func (s *subject) bareLink() (link, Reason) {
	if !s.bareDone {
		s.bare, s.bareReason = parseBareLink(s.text)
		s.bareDone = true
	}
	return s.bare, s.bareReason
}

// verdict is what one rule says of a text.
type verdict struct {
	answer answer
	result Result
	reason Reason
}

type answer int

const (
	// answerNotMine: the text is not of this rule's form, or not quite. The next
	// rule may take it.
	answerNotMine answer = iota
	// answerRefused: the text is of this rule's form, but wrong or not wanted. No
	// further rule may take it.
	answerRefused
	// answerMine: the text is an asset.
	answerMine
)

func notMine(reason Reason) verdict { return verdict{answer: answerNotMine, reason: reason} }

func refused(reason Reason) verdict { return verdict{answer: answerRefused, reason: reason} }

func mine(kind asset.Type, canonical string) verdict {
	return verdict{
		answer: answerMine,
		result: Result{Identity: asset.Identity{Type: kind, Canonical: canonical}},
	}
}
