package classify

import "github.com/apguard/apguard/asset"

// Rule names a classification rule. [Rules] returns the complete set. The zero value
// is not a rule.
type Rule string

// The rules, in the order in which they are tried.
const (
	// RuleWebLink accepts http and https links, as a URL or a platform identifier.
	RuleWebLink Rule = "WEB_LINK"
	// RuleOtherScheme refuses links with any other scheme, except payment links.
	RuleOtherScheme Rule = "OTHER_SCHEME"
	// RuleAddress accepts an ADDRESS. It refuses secrets and damaged addresses.
	RuleAddress Rule = "ADDRESS"
	// RulePlatformLink accepts links to a platform identifier without a scheme.
	RulePlatformLink Rule = "PLATFORM_LINK"
	// RulePage accepts a PAGE, which is a domain or an IP address.
	RulePage Rule = "PAGE"
	// RuleEmail accepts an EMAIL.
	RuleEmail Rule = "EMAIL"
	// RuleHandle accepts a bare handle, as TWITTER or INSTAGRAM.
	RuleHandle Rule = "HANDLE"
)

// rules holds every rule, in the order in which they are tried.
var rules = [...]struct {
	name Rule
	try  func(in *input) outcome
}{
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

// decision is the outcome of all rules.
type decision struct {
	// rule accepted or rejected the text. If every rule passed, it is the rule that
	// gave the reason, and "" for ReasonUnrecognized.
	rule   Rule
	result Result
	// reason is "" if a rule accepted the text.
	reason Reason
}

// applyRules tries the rules in order until one accepts or rejects the text. If all
// pass, the last specific reason counts, because later rules are more specific. The
// function appends the outcome of each rule to tried, unless that is nil.
func applyRules(text string, tried *[]Attempt) decision {
	in := &input{text: text}
	d := decision{reason: ReasonUnrecognized}
	for _, rule := range rules {
		o := rule.try(in)
		if o.answer == accepted && len(o.result.Canonical) > MaxContent {
			o = reject(ReasonTooLong)
		}
		if tried != nil {
			*tried = append(*tried, Attempt{Rule: rule.name, Reason: o.reason})
		}
		if o.answer != passed {
			return decision{rule: rule.name, result: o.result, reason: o.reason}
		}
		if o.reason != ReasonUnrecognized {
			d.rule, d.reason = rule.name, o.reason
		}
	}
	return d
}

// input is a text to classify. It caches the work that several rules share.
type input struct {
	text string

	bare       link
	bareReason Reason
	bareDone   bool
}

// bareLink parses the text as an https link without its scheme.
func (in *input) bareLink() (link, Reason) {
	if !in.bareDone {
		in.bare, in.bareReason = parseBareLink(in.text)
		in.bareDone = true
	}
	return in.bare, in.bareReason
}

// outcome is the outcome of one rule.
type outcome struct {
	answer answer
	result Result
	reason Reason
}

type answer int

const (
	// passed leaves the text to the next rule.
	passed answer = iota
	// rejected ends the classification with a refusal.
	rejected
	// accepted ends the classification with a result.
	accepted
)

func pass(reason Reason) outcome { return outcome{answer: passed, reason: reason} }

func reject(reason Reason) outcome { return outcome{answer: rejected, reason: reason} }

func accept(kind asset.Type, canonical string) outcome {
	return outcome{
		answer: accepted,
		result: Result{Identity: asset.Identity{Type: kind, Canonical: canonical}},
	}
}
