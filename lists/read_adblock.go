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

// isNoRule reports whether a line of a filter list is a comment or the name of the syntax. A line
// that begins with # hides a part of every page if a selector follows.
func isNoRule(text string) bool {
	switch {
	case strings.HasPrefix(text, "!"):
		return true
	case strings.HasPrefix(text, "["):
		return strings.HasSuffix(text, "]") && !strings.Contains(text, ":")
	}
	rest, hasHash := strings.CutPrefix(text, "#")
	mark, after, found := strings.Cut(rest, "#")
	after = strings.TrimLeft(after, "#")
	hides := found && len(mark) <= len("@") && after != "" && after[0] != ' '
	return hasHash && !hides
}

// hostsOfRule returns the hosts that a rule blocks.
func (l *reader) hostsOfRule(text string) ([]string, error) {
	rest, isException := strings.CutPrefix(text, "@@")
	switch {
	case isException:
		return nil, ErrException
	case entity.MatchString(rest):
		return nil, ErrEntity
	case strings.HasPrefix(rest, "#"):
		return nil, ErrPart
	}
	for _, start := range [...]string{"||", "|https://[", "|http://["} { // no anchor of hosts finds IPv6
		if pattern, anchored := strings.CutPrefix(rest, start); anchored {
			return hostsOfPattern(start[len(start)-1:] + pattern)
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
	pattern = strings.TrimPrefix(pattern, "|")
	host, options, hasOptions := strings.Cut(pattern, "$")
	host, ends := strings.CutSuffix(host, "^")
	if !ends || strings.ContainsAny(host, "^*/|") {
		return nil, ErrPart
	}
	if hasOptions && narrows(options) {
		return nil, ErrNarrow
	}
	return []string{host}, nil
}

// narrows reports whether a rule with the options does not block the pages of a host. As the filter
// syntax of Adblock Plus and uBlock Origin says, document includes pages, all includes everything,
// important only raises the rule above exceptions, and popup alone is about new windows only.
func narrows(options string) bool {
	pages, popup := false, false
	for option := range strings.SplitSeq(strings.ToLower(options), ",") {
		switch strings.TrimSpace(option) {
		case "document", "doc", "all":
			pages = true
		case "popup":
			popup = true
		case "important":
		default:
			return true
		}
	}
	return popup && !pages
}
