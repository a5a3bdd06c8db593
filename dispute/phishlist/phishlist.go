// Package phishlist reads the phishing lists of the project eth-phishing-detect and
// tells whether they block a host.
//
// [Load] takes both formats in which these lists are published, and [List.Check]
// judges a host as the project's own detector does:
//
//   - An entry stands for itself and its subdomains, on whole labels: example.com
//     covers login.example.com and not anexample.com.
//   - The allowlists come first, those of all lists. What one of them covers is not
//     blocked.
//   - Then each list in turn blocks what its blocklist covers, and after that what
//     resembles one of its fuzzy targets: without their last labels, and without the
//     first "www." of the host wherever it stands, the two are at most the list's
//     tolerance apart. The distance is Levenshtein's, in units of UTF-16.
//   - Of several entries that cover a host, and of several targets that it resembles,
//     the one that stands first in the file is the match.
//
// A tolerance of 0 lets a target match its equal alone, where the detector would
// leave the targets aside. A list that states no tolerance has [DefaultTolerance].
//
// A [List] never changes. A [File] follows the file that it was opened on. Both are
// lists that package dispute can ask; see [dispute.ExternalList].
package phishlist

import (
	"strings"

	"github.com/apguard/apguard/dispute"
)

// Rule says why a host is blocked or not.
type Rule string

// The rules of a [Verdict].
const (
	// RuleNone: no list has anything to say about the host.
	RuleNone Rule = "none"
	// RuleAllowlist: an allowlist covers the host, so it is not blocked.
	RuleAllowlist Rule = "allowlist"
	// RuleBlocklist: a blocklist covers the host.
	RuleBlocklist Rule = "blocklist"
	// RuleFuzzy: the host resembles a fuzzy target.
	RuleFuzzy Rule = "fuzzy"
)

// Verdict is what a [List] says of a host.
type Verdict struct {
	// Blocked is true for RuleBlocklist and RuleFuzzy.
	Blocked bool
	// Rule is never empty.
	Rule Rule
	// Match is the entry or the target that decided, as it stands in the list. It is
	// empty for RuleNone.
	Match string
	// List is the name of the list that has the match, of those that the file
	// holds. It is empty for a list without a name, as all of the format with one
	// list are, and for RuleNone.
	List string
}

// List is what one file holds, which may be several lists. It is made by [Load],
// never changes, and is safe for concurrent use.
type List struct {
	name     string
	names    []string // of the lists in the file, in its order
	hosts    hosts
	targets  []targets // of the lists that have any, in the order of the file
	reach    int       // no name with more units resembles any target
	findings Findings
}

var (
	_ dispute.ExternalList = (*List)(nil)
	_ dispute.ExternalList = (*File)(nil)
)

// Check judges a host as it is written, but for one trailing dot, which is dropped:
// letters of the other case are other letters, and other scripts must be in the form
// that the list has, which is punycode. It allocates nothing. The texts of the
// verdict are parts of the list, and keep it in memory.
func (l *List) Check(host string) Verdict {
	host = strings.TrimSuffix(host, ".")
	allowed, blocked := l.hosts.covering(host)
	if allowed.at != 0 {
		return Verdict{Rule: RuleAllowlist, Match: l.hosts.entry(allowed.at), List: l.names[allowed.list]}
	}
	target, list := l.resembled(host, blocked)
	switch {
	case target != nil:
		return Verdict{Blocked: true, Rule: RuleFuzzy, Match: target.text, List: l.names[list]}
	case blocked.at != 0:
		return Verdict{Blocked: true, Rule: RuleBlocklist, Match: l.hosts.entry(blocked.at), List: l.names[blocked.list]}
	}
	return Verdict{Rule: RuleNone}
}

// resembled returns the first target that the host resembles, and the number of its
// list. Lists are not asked from the one on whose blocklist covers the host.
func (l *List) resembled(host string, blocked hit) (*target, int) {
	if len(l.targets) == 0 || blocked.at != 0 && blocked.list <= l.targets[0].list {
		return nil, 0
	}
	var n name
	if !n.set(host, l.reach) {
		return nil, 0
	}
	for i := range l.targets {
		t := &l.targets[i]
		if blocked.at != 0 && blocked.list <= t.list {
			break
		}
		if found := t.first(&n); found != nil {
			return found, t.list
		}
	}
	return nil, 0
}

// Len returns how many different entries the allowlists and blocklists have in
// effect, and how many fuzzy targets there are.
func (l *List) Len() (entries, targets int) {
	for i := range l.targets {
		targets += len(l.targets[i].all)
	}
	return l.hosts.count, targets
}

// Findings tells which entries have no effect, or hardly the one that was meant.
func (l *List) Findings() Findings { return l.findings.clone() }
