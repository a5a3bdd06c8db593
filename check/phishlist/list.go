package phishlist

import (
	"context"
	"slices"
	"strings"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
)

var (
	_ check.ExternalList = (*List)(nil)
	_ check.ExternalList = (*File)(nil)
)

// List is the content of one file, which may hold several lists. [Load] returns one.
// A List is immutable and safe for concurrent use.
type List struct {
	name    string
	names   []string // of the lists in the file, in file order
	allowed hosts
	blocked hosts // without those that are also allowed
	// contents are the IPFS content identifiers of the blocklists.
	contents map[string]struct{}
	targets  []fuzzyTargets // of the lists that have any, in file order
	// longestName is the number of units beyond which no name resembles a target.
	longestName int
	warnings    Warnings
}

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

// Check reports whether the list blocks a host.
//
// The host is compared as given: letter case counts, and internationalized names must
// be in the form that the list uses, which is punycode. One trailing dot is ignored.
// Check does not allocate.
func (l *List) Check(host string) Verdict {
	host = strings.TrimSuffix(host, ".")
	if match, by := l.allowed.covering(host); by.order > 0 {
		return Verdict{Rule: RuleAllowlist, Match: match, List: l.names[by.list]}
	}
	match, by := l.blocked.covering(host)
	before := len(l.names) // the lists whose targets come before that match
	if by.order > 0 {
		before = int(by.list)
	}
	if target, list := l.resembled(host, before); target != "" {
		return Verdict{Blocked: true, Rule: RuleFuzzy, Match: target, List: l.names[list]}
	}
	if by.order > 0 {
		return Verdict{Blocked: true, Rule: RuleBlocklist, Match: match, List: l.names[by.list]}
	}
	return Verdict{Rule: RuleNone}
}

// Len returns the number of distinct allowlist and blocklist entries in effect, with the
// content identifiers, and the number of fuzzy targets in effect.
func (l *List) Len() (entries, targets int) {
	for i := range l.targets {
		targets += len(l.targets[i].all)
	}
	return len(l.allowed.entries) + len(l.blocked.entries) + len(l.contents), targets
}

// ContentIDs returns the number of distinct blocklist entries that are IPFS content identifiers.
func (l *List) ContentIDs() int { return len(l.contents) }

// Warnings returns the entries that have no effect, or probably not the intended one.
func (l *List) Warnings() Warnings { return l.warnings.clone() }

// Name returns the name from [Options].
func (l *List) Name() string { return l.name }

// Status returns the status that the list gives an asset. It is BLOCKED if a blocklist has
// one of the content identifiers that [classify.ContentIDs] returns. Otherwise the asset is
// judged by its host as [classify.Host] returns it: ALLOWED if an allowlist covers the
// host, BLOCKED if [List.Check] blocks it, and UNKNOWN otherwise. An asset without a host
// is UNKNOWN. The error is always nil.
func (l *List) Status(_ context.Context, identity asset.Identity) (asset.Status, error) {
	if len(l.contents) > 0 && slices.ContainsFunc(classify.ContentIDs(identity), l.blocksContent) {
		return asset.StatusBlocked, nil
	}
	host, ok := classify.Host(identity)
	if !ok {
		return asset.StatusUnknown, nil
	}
	switch l.Check(host).Rule {
	case RuleAllowlist:
		return asset.StatusAllowed, nil
	case RuleBlocklist, RuleFuzzy:
		return asset.StatusBlocked, nil
	default:
		return asset.StatusUnknown, nil
	}
}

func (l *List) blocksContent(id string) bool {
	_, blocked := l.contents[id]
	return blocked
}
