package classify

// Explanation is a result of [Classify] with the steps that led to it. If the content
// is refused, the Explanation does not contain it, except for a forbidden character.
// Its JSON form contains everything except Result.Content.
type Explanation struct {
	// Result is the result of Classify. It is zero if the content is refused.
	Result Result `json:"result,omitzero"`
	// Err is the reason for a refusal, or nil. Compare it with nil before you convert it
	// to error, because an error that holds a nil *Error is not nil.
	Err *Error `json:"error,omitempty"`
	// Rule is the rule that accepted or refused the content. If no rule did, it is the
	// rule that gave the reason in Err. It is empty if no rule gave a specific reason,
	// or if the content was refused before the first rule.
	Rule Rule `json:"rule,omitempty"`
	// Rewrites has the differences between the content and the canonical form, without
	// duplicates. It is empty if the two are equal.
	Rewrites []Rewrite `json:"rewrites,omitempty"`
	// Tried has the outcome of each rule that was tried, in order. It is empty if the
	// content was refused before the first rule.
	Tried []Attempt `json:"tried,omitempty"`
}

// Attempt is the outcome of one rule.
type Attempt struct {
	Rule Rule `json:"rule"`
	// Reason is why the rule did not accept the content. It is ReasonUnrecognized if the
	// rule is for another kind of content, and empty if the rule accepted it.
	Reason Reason `json:"reason,omitempty"`
}

// Explain classifies the content and returns the steps. Result and Err are those that
// [Classify] returns. Explain is slower than Classify.
func Explain(content string) Explanation {
	var tried []Attempt
	d, err := decide(content, &tried)
	explanation := Explanation{Err: err, Rule: d.rule, Tried: tried}
	if err == nil {
		explanation.Result = d.result
		explanation.Rewrites = rewritesOf(content, d.rule, d.result)
	}
	return explanation
}
