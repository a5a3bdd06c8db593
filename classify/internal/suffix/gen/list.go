package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/idna"
)

// list is the part of public_suffix_list.dat that the generator uses.
type list struct {
	// version holds the comments VERSION and COMMIT, which some copies lack.
	version []string
	// rules is the ICANN section with international labels in punycode. It is sorted by
	// labels, the last label first.
	rules []string
}

// parse parses a list in the format of publicsuffix.org. A line contains a rule up to
// the first white space, or a comment after //. Two comments delimit the ICANN section.
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
		return list{}, errors.New("incomplete section of ICANN domains")
	}
	slices.SortFunc(l.rules, compare)
	for i := 1; i < len(l.rules); i++ {
		if l.rules[i] == l.rules[i-1] {
			return list{}, fmt.Errorf("duplicate rule %q", l.rules[i])
		}
	}
	return l, nil
}

// parseRule returns the rule in the notation of the table.
func parseRule(rule string) (string, error) {
	mark, name := cutMark(rule)
	ascii, err := idna.Lookup.ToASCII(name)
	switch {
	case err != nil:
		return "", fmt.Errorf("rule %q: %w", rule, err)
	case slices.Contains(strings.Split(ascii, "."), ""):
		return "", fmt.Errorf("rule %q: empty label", rule)
	case mark == "!" && !strings.Contains(ascii, "."):
		return "", fmt.Errorf("rule %q: exception without a wildcard", rule)
	}
	return mark + ascii, nil
}

// cutMark splits a rule into its mark and name. The mark is "*." for a wildcard, "!" for
// an exception and otherwise empty.
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
