// Package suffix finds the public suffix of a domain: the part under which a registry
// registers domains, such as com, co.uk or tokyo.jp.
//
// It contains only the ICANN section of the Public Suffix List (publicsuffix.org).
// Suffixes of private companies, such as github.io, are ordinary domains, and a
// top-level domain that is missing from the list is not a suffix. The list is static
// data, so importing the package does no work at startup.
package suffix

import "github.com/apguard/apguard/classify/internal/suffix/layout"

// PUBLIC_SUFFIX_LIST is the path of the list, and the origin describes it. Debian's
// package installs the list at /usr/share/publicsuffix/public_suffix_list.dat.
//
//go:generate go run ./gen -origin "Debian package publicsuffix 20261007.0728-1, upstream commit 3929462652695bad04f0a27afb600974014a3c8b" $PUBLIC_SUFFIX_LIST

// Find returns the public suffix of a domain, which is the domain itself or its end
// after a dot. The domain must be in lower case, with international labels in punycode,
// and without a trailing dot.
//
// It reports false if no rule of the list matches, as for example.invalid, for ck alone
// (the list has *.ck) and for text that is not a domain. It does not validate the labels
// before the suffix. A label that matches a wildcard must not be empty. Find does not
// allocate and is safe for concurrent use.
func Find(domain string) (publicSuffix string, ok bool) {
	var (
		hash   layout.Hash
		parent layout.Entry // of the labels after the current one
	)
	// Read labels from the last to the first while longer rules exist. The longest
	// matching rule wins.
	for end := len(domain); ; {
		start := end
		for start > 0 && domain[start-1] != '.' {
			start--
			hash = hash.Prepend(domain[start])
		}
		entry := find(hash, domain[start:])
		switch {
		case entry.Has(layout.Exception):
			// An exception overrides every other rule. Its suffix lacks the first label.
			return domain[end+1:], true
		case entry.Has(layout.Rule), parent.Has(layout.Wildcard) && start < end:
			publicSuffix, ok = domain[start:], true
		}
		if !entry.Has(layout.Longer) || start == 0 {
			return publicSuffix, ok
		}
		end, parent = start-1, entry
		hash = hash.Prepend('.')
	}
}

// find returns the entry of the name with the given hash. It returns the zero Entry if
// the table lacks the name.
func find(hash layout.Hash, name string) layout.Entry {
	entry := slots[hash.Slot(seeds[hash.Seed()])]
	if entry.Name(rules) != name {
		return 0
	}
	return entry
}
