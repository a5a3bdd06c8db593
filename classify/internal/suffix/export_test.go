package suffix

import "strings"

// Rules returns the rules of the table.
func Rules() []string { return strings.Fields(rules) }
