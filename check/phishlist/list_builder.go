package phishlist

import (
	"fmt"
	"slices"

	"github.com/apguard/apguard/classify"
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
	// suffixes are the blocklist entries of the private section, in file order.
	suffixes []string
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
	case classify.IsContentID(string(host)):
		b.addContentID(of, host)
	case of == blocklist && b.skipsSuffix(string(host)):
	default:
		if !isCanonical(host) {
			b.list.warnings.addNonCanonical(b.position)
		}
		b.addHost(of, host)
	}
	return nil
}

// skipsSuffix reports whether the ICANN section has a host as a public suffix. It remembers those
// of the private section.
func (b *listBuilder) skipsSuffix(host string) bool {
	publicSuffix, known := suffix.FindPrivate(host)
	if !known || publicSuffix != host {
		return false
	}
	icann, _ := suffix.Find(host)
	if icann == host {
		b.list.warnings.addPublicSuffix(b.position)
		return true
	}
	b.suffixes = append(b.suffixes, host)
	return false
}

// addContentID adds an entry that is an IPFS content identifier.
func (b *listBuilder) addContentID(of array, id []byte) {
	switch {
	case of == allowlist:
		b.list.warnings.AllowedContentIDs++
	case b.list.blocksContent(string(id)):
		b.list.warnings.Duplicates++
	default:
		b.list.contents[string(id)] = struct{}{}
	}
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

// end records the public suffixes that no allowlist has.
func (b *listBuilder) end() {
	blocked := b.list.blocked.entries
	for _, host := range b.suffixes {
		if blocked[host].order > 0 && !slices.Contains(b.list.warnings.BlockedSuffixes, host) {
			b.list.warnings.BlockedSuffixes = append(b.list.warnings.BlockedSuffixes, host)
		}
	}
}
