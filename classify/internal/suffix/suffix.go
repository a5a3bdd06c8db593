// Package suffix finds the public suffix of a domain: the part under which a
// registry lets others register, such as com, co.uk or tokyo.jp.
//
// It knows the ICANN section of the Public Suffix List (publicsuffix.org) and
// nothing else: the suffixes of private companies, such as github.io, are
// ordinary domains to it, and a top-level domain that the list does not have is
// no suffix. The list is static data of the program; nothing is built when it
// starts.
package suffix

import "github.com/apguard/apguard/classify/internal/suffix/layout"

// PUBLIC_SUFFIX_LIST is the path of the list, and the origin says which list it
// is. Debian's package puts it at /usr/share/publicsuffix/public_suffix_list.dat.
//
//go:generate go run ./gen -origin "Debian package publicsuffix 20261007.0728-1, upstream commit 3929462652695bad04f0a27afb600974014a3c8b" $PUBLIC_SUFFIX_LIST

// Find returns the public suffix of a domain, which is the domain itself or its
// end after a dot. The domain is in lower case, has its international labels as
// punycode, and no trailing dot.
//
// It reports false when no rule of the list matches, as for example.invalid, for
// ck alone (the list has *.ck) and for text that is no domain. It does not judge
// the labels before the suffix, nor the one that a wildcard stands for but that
// it is not empty. It does not allocate and is safe for concurrent use.
func Find(domain string) (publicSuffix string, ok bool) {
	var (
		hash   layout.Hash
		parent layout.Entry // of the labels after the current one
	)
	// From the last label to the first, as long as there are longer rules. The
	// longest rule that matches wins.
	for end := len(domain); ; {
		start := end
		for start > 0 && domain[start-1] != '.' {
			start--
			hash = hash.Prepend(domain[start])
		}
		entry := find(hash, domain[start:])
		switch {
		case entry.Has(layout.Exception):
			// It wins over every other rule, and stands for itself without its
			// first label.
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

// find returns the entry of the name with that hash, or the zero Entry when the
// table does not have the name.
func find(hash layout.Hash, name string) layout.Entry {
	entry := slots[hash.Slot(seeds[hash.Seed()])]
	if entry.Name(rules) != name {
		return 0
	}
	return entry
}
