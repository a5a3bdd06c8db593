package lists

import (
	"errors"
	"slices"
	"strings"
)

// Reasons why a line of a filter list is refused, for errors.Is.
var (
	ErrException = errors.New("is an exception of a filter list")
	ErrNarrow    = errors.New("has an option that narrows the rule")
	ErrPart      = errors.New("is about a part of a site, not all of it")
)

// readAdBlock reads a filter list of an ad blocker. It takes the rules that block all of a host and
// its subdomains, and the lines with hosts that filters of DNS requests also have.
func (l *reader) readAdBlock() error {
	return l.each(func(line []byte) error {
		text := strings.TrimSpace(string(line))
		if isNoRule(text) {
			return nil
		}
		hosts, err := l.hostsOfRule(text)
		if err != nil {
			return l.refuse(l.lines.number, text, err)
		}
		for _, host := range hosts {
			if err := l.host(l.lines.number, host, l.opts.Status); err != nil {
				return err
			}
		}
		return nil
	})
}

// isNoRule reports whether a line of a filter list is a comment or the name of the syntax.
func isNoRule(text string) bool {
	return strings.HasPrefix(text, "!") || strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") && !strings.Contains(text, ":") ||
		text == "#" || strings.HasPrefix(text, "# ")
}

// hostsOfRule returns the hosts that a rule blocks.
func (l *reader) hostsOfRule(text string) ([]string, error) {
	rest, isException := strings.CutPrefix(text, "@@")
	switch {
	case isException:
		return nil, ErrException
	case entity.MatchString(rest):
		return nil, ErrEntity
	}
	for _, start := range [...]string{"||", "|https://", "|http://"} {
		if pattern, anchored := strings.CutPrefix(rest, start); anchored {
			return hostsOfPattern(pattern)
		}
	}
	text = withoutComment(rest)
	fields := strings.Fields(text)
	switch {
	case len(fields) > 1 && isBlocking(fields[0]):
		return slices.DeleteFunc(fields[1:], isOfMachine), nil
	case len(fields) > 1 && isAddress(fields[0]) && namesOnlyMachine(fields[1:]):
		return nil, nil
	}
	if strings.ContainsAny(text, "#$|^/*~@ ") {
		return nil, ErrPart
	}
	return []string{text}, nil
}

// hostsOfPattern returns the host of a pattern that is anchored at the start of a host.
func hostsOfPattern(pattern string) ([]string, error) {
	host, options, hasOptions := strings.Cut(pattern, "$")
	host, ends := strings.CutSuffix(host, "^")
	if !ends || strings.ContainsAny(host, "^*/|") {
		return nil, ErrPart
	}
	if hasOptions {
		for option := range strings.SplitSeq(options, ",") {
			if !widens(option) {
				return nil, ErrNarrow
			}
		}
	}
	return []string{host}, nil
}

// widens reports whether a rule with the option still blocks the pages of a host. A rule without
// options blocks only what pages load, and document extends it to pages, as all does for every
// kind of request. The option important only raises the rule above exceptions.
func widens(option string) bool {
	switch strings.ToLower(strings.TrimSpace(option)) {
	case "document", "doc", "all", "important":
		return true
	}
	return false
}
