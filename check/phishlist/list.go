package phishlist

import "strings"

// List is the content of one file, which may hold several lists. [Load] returns one.
// A List is immutable and safe for concurrent use.
type List struct {
	name    string
	names   []string // of the lists in the file, in file order
	hosts   hostTable
	targets []fuzzyTargets // of the lists that have any, in file order
	// longestName is the number of units beyond which no name resembles a target.
	longestName int
	warnings    Warnings
}

// Check reports whether the list blocks a host.
//
// The host is compared as given: letter case counts, and internationalized names must
// be in the form that the list uses, which is punycode. One trailing dot is ignored.
// Check does not allocate. The strings in the verdict share memory with the list.
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
// list. It stops at the list whose blocklist covers the host, since that match comes
// first.
func (l *List) resembled(host string, blocked hit) (*target, int) {
	if len(l.targets) == 0 || blocked.at != 0 && blocked.list <= l.targets[0].list {
		return nil, 0
	}
	var n name
	if !n.set(host, l.longestName) {
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

// Len returns the number of distinct allowlist and blocklist entries in effect, and
// the number of fuzzy targets in effect.
func (l *List) Len() (entries, targets int) {
	for i := range l.targets {
		targets += len(l.targets[i].all)
	}
	return l.hosts.count, targets
}

// Warnings returns the entries that have no effect, or probably not the intended one.
func (l *List) Warnings() Warnings { return l.warnings.clone() }
