package classify

// Explanation is a result of [Classify] with the steps that led to it. It does not
// repeat a refused content, except for a forbidden character. It survives a round trip
// through JSON, except for Result.Content.
type Explanation struct {
	// Result is the result of Classify. It is zero if the content is refused.
	Result Result `json:"result,omitzero"`
	// Err is the reason for a refusal, or nil. Compare it with nil before a conversion
	// to error: a nil *Error in an error is not nil.
	Err *Error `json:"error,omitempty"`
	// Rule is the rule that accepted or refused the content. If every rule passed, it is
	// the rule that gave the reason in Err. It is empty if no rule gave a specific
	// reason, or if the content was refused before any rule.
	Rule Rule `json:"rule,omitempty"`
	// Rewrites holds the differences between the content and the canonical form, each
	// once. It is empty if the two are equal.
	Rewrites []Rewrite `json:"rewrites,omitempty"`
	// Tried holds the outcome of each rule that was tried, in order. It is empty if the
	// content was refused before any rule.
	Tried []Attempt `json:"tried,omitempty"`
}

// Attempt is the outcome of one rule.
type Attempt struct {
	Rule Rule `json:"rule"`
	// Reason is why the rule did not accept the content. It is ReasonUnrecognized if the
	// content has another form, and empty if the rule accepted it.
	Reason Reason `json:"reason,omitempty"`
}

// Explain classifies a content as [Classify] does and returns the steps. Its Result and
// Err are those of Classify. It is slower than Classify.
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
