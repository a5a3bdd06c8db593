// Package suffix finds the public suffix of a domain: the part under which domains are
// registered, such as com, co.uk or tokyo.jp.
//
// It contains the Public Suffix List (publicsuffix.org). A top-level domain that is
// missing from the list is not a suffix. The list is static data, so importing the
// package does no work at startup.
package suffix

import (
	"strings"

	"github.com/apguard/apguard/internal/suffix/layout"
)

// PUBLIC_SUFFIX_LIST is the path of the list, and the origin describes it. Debian's
// package installs the list at /usr/share/publicsuffix/public_suffix_list.dat.
//
//go:generate go run ./gen -origin "Debian package publicsuffix 20261007.0728-1, upstream commit 3929462652695bad04f0a27afb600974014a3c8b" $PUBLIC_SUFFIX_LIST

// Find returns the public suffix of a domain by the ICANN section of the list, which is
// the domain itself or its end after a dot. Suffixes of private companies, such as
// github.io, are ordinary domains. The domain must be in lower case, with international labels in punycode,
// and without a trailing dot.
//
// It reports false if no rule of the list matches, as for example.invalid, for ck alone
// (the list has *.ck) and for text that is not a domain. It does not validate the labels
// before the suffix. A label that matches a wildcard must not be empty. Find does not
// allocate and is safe for concurrent use.
func Find(domain string) (publicSuffix string, ok bool) {
	return longest(domain, flags{rule: layout.Rule, wildcard: layout.Wildcard, exception: layout.Exception})
}

// FindPrivate is like [Find] for the whole list, so that github.io is a suffix too.
//
// A wildcard of the private section stands for its own name: *.eth.limo makes eth.limo a suffix.
// Each label below it is the site of one customer of the company, and not a registry. The list
// has the wildcard so that browsers keep the parts of that site apart, too.
func FindPrivate(domain string) (publicSuffix string, ok bool) {
	return longest(domain, flags{
		rule:      layout.Rule | layout.PrivateRule | layout.PrivateWildcard,
		wildcard:  layout.Wildcard,
		exception: layout.Exception | layout.PrivateException,
	})
}

// Is reports whether a domain is a public suffix by the whole list. As the list prescribes, a
// single label that is missing from it is a suffix too.
func Is(domain string) bool {
	if strings.IndexByte(domain, '.') < 0 {
		return true
	}
	publicSuffix, ok := FindPrivate(domain)
	return ok && publicSuffix == domain
}

// HasBelow reports whether a public suffix of the whole list ends in a dot and the domain, as
// s3.amazonaws.com does for amazonaws.com.
func HasBelow(domain string) bool {
	var hash layout.Hash
	for i := len(domain) - 1; i >= 0; i-- {
		hash = hash.Prepend(domain[i])
	}
	return find(hash, domain).Has(layout.Longer | layout.Wildcard | layout.PrivateWildcard)
}

// flags are the flags of the sections to read.
type flags struct{ rule, wildcard, exception layout.Flag }

// longest returns the suffix of the longest matching rule.
func longest(domain string, of flags) (publicSuffix string, ok bool) {
	var (
		hash   layout.Hash
		parent layout.Entry // of the labels after the current one
	)
	// Read labels from the last to the first while longer rules exist.
	for end := len(domain); ; {
		start := end
		for start > 0 && domain[start-1] != '.' {
			start--
			hash = hash.Prepend(domain[start])
		}
		entry := find(hash, domain[start:])
		switch {
		case entry.Has(of.exception):
			// An exception overrides every other rule. Its suffix lacks the first label.
			return domain[end+1:], true
		case entry.Has(of.rule), parent.Has(of.wildcard) && start < end:
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
