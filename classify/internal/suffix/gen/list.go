package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/idna"
)

// list is what the generator takes from a public_suffix_list.dat.
type list struct {
	// version are the comments VERSION and COMMIT. Not every copy has them.
	version []string
	// rules is the ICANN section, with international labels as punycode, sorted
	// from the last label to the first, so that a rule stands by its like.
	rules []string
}

// parse reads a list by the format that publicsuffix.org describes: one rule a
// line, up to the first white space; a line beginning with // is a comment, and
// two of these mark where the ICANN section begins and ends.
func parse(data []byte) (list, error) {
	const (
		before = iota
		within
		after
	)
	var (
		l       list
		section = before
	)
	for number, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "// VERSION:"), strings.HasPrefix(line, "// COMMIT:"):
			l.version = append(l.version, line)
		case section == before && line == "// ===BEGIN ICANN DOMAINS===":
			section = within
		case section == within && line == "// ===END ICANN DOMAINS===":
			section = after
		case section != within, line == "", strings.HasPrefix(line, "//"):
		default:
			rule, err := parseRule(strings.Fields(line)[0])
			if err != nil {
				return list{}, fmt.Errorf("line %d: %w", number+1, err)
			}
			l.rules = append(l.rules, rule)
		}
	}
	if section != after {
		return list{}, errors.New("no complete section of ICANN domains")
	}
	slices.SortFunc(l.rules, compare)
	for i := 1; i < len(l.rules); i++ {
		if l.rules[i] == l.rules[i-1] {
			return list{}, fmt.Errorf("rule %q is there twice", l.rules[i])
		}
	}
	return l, nil
}

// parseRule returns the rule in the spelling of the table.
func parseRule(rule string) (string, error) {
	mark, name := cutMark(rule)
	ascii, err := idna.Lookup.ToASCII(name)
	switch {
	case err != nil:
		return "", fmt.Errorf("rule %q: %w", rule, err)
	case slices.Contains(strings.Split(ascii, "."), ""):
		return "", fmt.Errorf("rule %q: empty label", rule)
	case mark == "!" && !strings.Contains(ascii, "."):
		return "", fmt.Errorf("rule %q: an exception to nothing", rule)
	}
	return mark + ascii, nil
}

// cutMark splits a rule into its mark, which is "*." for a wildcard, "!" for an
// exception and empty otherwise, and its name.
func cutMark(rule string) (mark, name string) {
	for _, mark := range []string{"*.", "!"} {
		if name, ok := strings.CutPrefix(rule, mark); ok {
			return mark, name
		}
	}
	return "", rule
}

// compare orders rules by their labels, the last label first.
func compare(a, b string) int {
	_, nameA := cutMark(a)
	_, nameB := cutMark(b)
	labelsA, labelsB := strings.Split(nameA, "."), strings.Split(nameB, ".")
	slices.Reverse(labelsA)
	slices.Reverse(labelsB)
	if order := slices.Compare(labelsA, labelsB); order != 0 {
		return order
	}
	return strings.Compare(a, b)
}
