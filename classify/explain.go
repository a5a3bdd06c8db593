package classify

// Explanation says how [Classify] came to its answer on a content. Of a content
// that is refused it repeats nothing, except for a forbidden character. It can be
// written as JSON and read back.
type Explanation struct {
	// Result is what Classify returns: the zero value if it refuses the content.
	Result Result `json:"result,omitzero"`
	// Err is why the content is refused, and nil when it is not. Compare it with nil
	// as it is: as an error, a nil *Error is none that equals nil. Who wants an error
	// calls Classify.
	Err *Error `json:"error,omitempty"`
	// Rule is the rule that took the content or refused it. If none did, it is the
	// one that came closest, whose reason Err has; it is empty when none came close,
	// or when the content was refused before any rule saw it.
	Rule Rule `json:"rule,omitempty"`
	// Rewrites is in what the canonical form is written in another way than the
	// content, each once. It is empty when the content is its own canonical form.
	Rewrites []Rewrite `json:"rewrites,omitempty"`
	// Tried is every rule that saw the content, in that order. It is empty when the
	// content was refused before.
	Tried []Attempt `json:"tried,omitempty"`
}

// Attempt is what one rule said of a content.
type Attempt struct {
	Rule Rule `json:"rule"`
	// Reason is why the rule did not take the content: ReasonUnrecognized when it is
	// not of the rule's form at all. It is empty for the rule that took it.
	Reason Reason `json:"reason,omitempty"`
}

// Explain does what [Classify] does, and says how. Its Result and Err are always
// those of Classify. It costs more, and is meant for people who ask why.
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
