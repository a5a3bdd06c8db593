package main

import (
	"iter"
	"strings"
)

// listed yields the values of a flag with a list. They are separated by commas, and may have white space
// around them.
func listed(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for value := range strings.SplitSeq(text, ",") {
			if !yield(strings.TrimSpace(value)) {
				return
			}
		}
	}
}

// listOf returns the function of a flag with a list. Those who use the list refuse unknown values, such as
// the empty one of an unset shell variable.
func listOf[T ~string](to *[]T) func(string) error {
	return func(text string) error {
		*to = nil
		for value := range listed(text) {
			*to = append(*to, T(value))
		}
		return nil
	}
}
