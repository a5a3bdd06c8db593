package phishlist

// Rule is the reason for a [Verdict].
type Rule string

// The rules of a [Verdict].
const (
	// RuleNone means that no list has an entry or target for the host.
	RuleNone Rule = "none"
	// RuleAllowlist means that an allowlist covers the host, so it is not blocked.
	RuleAllowlist Rule = "allowlist"
	// RuleBlocklist means that a blocklist covers the host.
	RuleBlocklist Rule = "blocklist"
	// RuleFuzzy means that the host resembles a fuzzy target.
	RuleFuzzy Rule = "fuzzy"
)

// Verdict is the result of [List.Check].
type Verdict struct {
	// Blocked is true for RuleBlocklist and RuleFuzzy.
	Blocked bool
	// Rule is never empty.
	Rule Rule
	// Match is the entry or target that decided, spelled as in the list. It is empty
	// for RuleNone.
	Match string
	// List is the name of the list with the match, as the file gives it. It is empty
	// for RuleNone and for lists without a name, such as all single-list files.
	List string
}
