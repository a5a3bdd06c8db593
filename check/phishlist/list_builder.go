package phishlist

import (
	"fmt"

	"github.com/apguard/apguard/internal/suffix"
)

// listBuilder puts the content of a file into a list.
type listBuilder struct {
	*loader
	list *List
	// order is the number of hosts so far, without duplicates, and targets that of
	// fuzzy targets.
	order   uint32
	targets int
	current draft
}

// draft is the list of the file that is being read.
type draft struct {
	hasHosts bool
	targets  []string
	known    map[string]struct{} // the targets
}

func (b *listBuilder) entry(of array, host []byte, problem string) error {
	switch {
	case problem != "":
		b.list.warnings.addInvalidHost(b.position, problem)
	case of == fuzzylist:
		return b.addTarget(host)
	case of == blocklist && b.skipsSuffix(string(host)):
	default:
		if !isCanonical(host) {
			b.list.warnings.addNonCanonical(b.position)
		}
		b.addHost(of, host)
	}
	return nil
}

// skipsSuffix warns of a host that is a public suffix. It reports whether the ICANN section has
// it.
func (b *listBuilder) skipsSuffix(host string) bool {
	publicSuffix, known := suffix.FindPrivate(host)
	if !known || publicSuffix != host {
		return false
	}
	icann, _ := suffix.Find(host)
	problem := "is a public suffix and blocks every domain below it"
	if icann == host {
		problem = "is a public suffix and was skipped"
	}
	b.list.warnings.addPublicSuffix(b.position, problem)
	return icann == host
}

// addHost adds an entry unless an equal one takes precedence.
func (b *listBuilder) addHost(of array, host []byte) {
	allowed, blocked := &b.list.allowed, &b.list.blocked
	if blocked.entries[string(host)].order > 0 {
		b.list.warnings.Duplicates++
		if of == blocklist {
			return
		}
		delete(blocked.entries, string(host))
	} else if allowed.entries[string(host)].order > 0 {
		b.list.warnings.Duplicates++
		return
	}
	b.order++
	b.current.hasHosts = true
	to := blocked
	if of == allowlist {
		to = allowed
	}
	to.entries[string(host)] = entry{order: b.order, list: int32(len(b.list.names))} //nolint:gosec // MaxBytes bounds both
	to.longest = max(to.longest, len(host))
}

func (b *listBuilder) addTarget(host []byte) error {
	if _, duplicate := b.current.known[string(host)]; duplicate {
		b.list.warnings.Duplicates++
		return nil
	}
	if b.targets == MaxTargets {
		return b.invalid(fmt.Sprintf("too many fuzzy targets: all lists together may have %d", MaxTargets))
	}
	b.targets++
	target := string(host)
	if b.current.known == nil {
		b.current.known = make(map[string]struct{})
	}
	b.current.known[target] = struct{}{}
	b.current.targets = append(b.current.targets, target)
	return nil
}

// endList names the list and turns its targets on. A list without effect takes no memory.
func (b *listBuilder) endList(s settings) {
	d := b.current
	b.current = draft{}
	isFuzzy := s.tolerance > 0 && len(d.targets) > 0
	if isFuzzy {
		targets := newFuzzyTargets(len(b.list.names), s.tolerance, d.targets)
		b.list.targets = append(b.list.targets, targets)
		b.list.longestName = max(b.list.longestName, targets.reach())
	}
	if d.hasHosts || isFuzzy {
		b.list.names = append(b.list.names, s.name)
	}
}
