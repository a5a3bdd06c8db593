package main

import "strings"

// origins is a flag with the origins of pages, separated by commas. Package httpapi validates them.
type origins []string

// String implements flag.Value.
func (o *origins) String() string { return strings.Join(*o, ",") }

// Set implements flag.Value.
func (o *origins) Set(text string) error {
	*o = nil
	for part := range strings.SplitSeq(text, ",") {
		*o = append(*o, strings.TrimSpace(part))
	}
	return nil
}
