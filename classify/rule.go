package classify

import "github.com/apguard/apguard/asset"

// Rule names one of the rules that contents are judged by. The set is closed:
// [Rules] returns all of it. The zero value is no rule.
type Rule string

// The rules, in the order in which they are tried.
const (
	// RuleWebLink: links with http or https, which are a URL or a platform's.
	RuleWebLink Rule = "WEB_LINK"
	// RuleOtherScheme: links with any other scheme, which are refused.
	RuleOtherScheme Rule = "OTHER_SCHEME"
	// RuleAddress: an ADDRESS. Secrets and damaged addresses are refused.
	RuleAddress Rule = "ADDRESS"
	// RulePlatformLink: links to a platform's identifier without a scheme.
	RulePlatformLink Rule = "PLATFORM_LINK"
	// RulePage: a PAGE, which is a domain or an IP address.
	RulePage Rule = "PAGE"
	// RuleEmail: an EMAIL.
	RuleEmail Rule = "EMAIL"
	// RuleHandle: a handle on its own, which is TWITTER or INSTAGRAM.
	RuleHandle Rule = "HANDLE"
)

// rule judges a text by one of the forms that an asset can have.
type rule struct {
	name  Rule
	judge func(s *subject) verdict
}

// rules holds every rule, in the order in which they are tried.
var rules = [...]rule{
	{RuleWebLink, tryWebLink},
	{RuleOtherScheme, tryOtherScheme},
	{RuleAddress, tryAddress},
	{RulePlatformLink, tryPlatformLink},
	{RulePage, tryPage},
	{RuleEmail, tryEmail},
	{RuleHandle, tryHandle},
}

// Rules returns every rule, in the order in which they are tried.
func Rules() []Rule {
	names := make([]Rule, len(rules))
	for i, rule := range rules {
		names[i] = rule.name
	}
	return names
}

// decision is what all rules together say of a text.
type decision struct {
	// rule took the text or refused it. If none did, it is the one that the reason
	// is of, and "" when that is ReasonUnrecognised.
	rule   Rule
	result Result
	// reason is "" when a rule took the text.
	reason Reason
}

// applyRules tries one rule after the other until one decides. If none does, but
// several came close, the last of them tells the reason: the rules that suit a
// text best come late. What each rule said is added to tried, unless that is nil.
func applyRules(text string, tried *[]Attempt) decision {
	s := &subject{text: text}
	d := decision{reason: ReasonUnrecognised}
	for _, rule := range rules {
		v := rule.judge(s)
		if v.answer == answerMine && len(v.result.Canonical) > MaxContent {
			v = refused(ReasonTooLong)
		}
		if tried != nil {
			*tried = append(*tried, Attempt{Rule: rule.name, Reason: v.reason})
		}
		if v.answer != answerNotMine {
			return decision{rule: rule.name, result: v.result, reason: v.reason}
		}
		if v.reason != ReasonUnrecognised {
			d.rule, d.reason = rule.name, v.reason
		}
	}
	return d
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
