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
	// icann and private are the sections with international labels in punycode. Each is
	// sorted by labels, the last label first.
	icann, private []string
}

// parse parses a list in the format of publicsuffix.org. A line contains a rule up to
// the first white space, or a comment after //. Two comments delimit each section.
func parse(data []byte) (list, error) {
	var l list
	missing := []section{{"ICANN", &l.icann}, {"PRIVATE", &l.private}}
	within := false
	for number, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "// VERSION:"), strings.HasPrefix(line, "// COMMIT:"):
			l.version = append(l.version, line)
		case len(missing) == 0:
		case !within:
			within = line == "// ===BEGIN "+missing[0].name+" DOMAINS==="
		case line == "// ===END "+missing[0].name+" DOMAINS===":
			missing, within = missing[1:], false
		case line == "", strings.HasPrefix(line, "//"):
		default:
			rule, err := parseRule(strings.Fields(line)[0])
			if err != nil {
				return list{}, fmt.Errorf("line %d: %w", number+1, err)
			}
			*missing[0].rules = append(*missing[0].rules, rule)
		}
	}
	if len(missing) > 0 {
		return list{}, fmt.Errorf("incomplete section of %s domains", missing[0].name)
	}
	return l, errors.Join(sortRules(l.icann), sortRules(l.private))
}

// section is a section of the list and where its rules belong.
type section struct {
	name  string
	rules *[]string
}

// sortRules sorts the rules of a section. It returns an error if one of them is there
// twice.
func sortRules(rules []string) error {
	slices.SortFunc(rules, compare)
	for i := 1; i < len(rules); i++ {
		if rules[i] == rules[i-1] {
			return fmt.Errorf("duplicate rule %q", rules[i])
		}
	}
	return nil
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
