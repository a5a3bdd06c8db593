package suffix

import "strings"

// Rules returns the rules of the ICANN section.
func Rules() []string { return strings.Fields(icann) }

// PrivateRules returns the rules of the private section.
func PrivateRules() []string { return strings.Fields(private) }
