package lists

import (
	"net/netip"
	"strings"
)

// readAdBlock reads a filter list. It takes what all of Adblock Plus, uBlock Origin and AdGuard read as
// a rule for a whole host, and what AdGuard Home also reads: lines of a hosts file, and plain hosts.
// See https://help.adblockplus.org/adblock-plus-help-center/how-to-write-filters,
// https://github.com/gorhill/uBlock/wiki/Static-filter-syntax and
// https://adguard-dns.io/kb/general/dns-filtering-syntax.
func (l *reader) readAdBlock() error {
	return l.each(func(line []byte) error {
		text := strings.TrimSpace(string(line))
		if isFilterComment(text) {
			return nil
		}
		if isHostsLine(text) {
			return l.hostsLine(text)
		}
		host, err := ruleHost(l.restore(text))
		if err != nil {
			return l.refuse(l.lines.number, text, err)
		}
		return l.rule(text, host)
	})
}

// rule yields the entry of a rule for the host.
func (l *reader) rule(text, host string) error {
	identity, err := hostIdentity(host)
	switch {
	case err == nil:
		return l.found(l.lines.number, identity, l.opts.Status)
	case strings.ContainsAny(host, "*/^|:=?&,"):
		err = ErrPattern
	}
	return l.refuse(l.lines.number, text, err)
}

// isFilterComment reports whether a line of a filter list is a comment or its header. A line that
// begins with # is a comment, unless it hides parts of all pages.
func isFilterComment(line string) bool {
	switch line[0] {
	case '!':
		return true
	case '[':
		lower := strings.ToLower(line)
		return (strings.HasPrefix(lower, "[ad") || strings.HasPrefix(lower, "[ublock")) && strings.HasSuffix(line, "]") && !strings.Contains(line, "$")
	case '#':
		rest := strings.TrimLeft(line, "#")
		return rest == "" || rest[0] == ' ' || rest[0] == '\t' || !isCosmetic(line)
	}
	return false
}

// isHostsLine reports whether a line is one of a hosts file: an address and something else.
func isHostsLine(line string) bool {
	fields := strings.Fields(line)
	_, err := netip.ParseAddr(fields[0])
	return err == nil && len(fields) > 1
}

// ruleHost returns the host that a rule blocks with all that is on it.
func ruleHost(rule string) (string, error) {
	switch {
	case hasEntity(rule):
		return "", ErrEntity
	case strings.HasPrefix(rule, "@@"):
		return "", ErrException
	case isCosmetic(rule), strings.Contains(rule, "$$"), strings.Contains(rule, "$@$"):
		return "", ErrCosmetic
	case rule[0] == '/': // a path or a regular expression
		return "", ErrPattern
	}
	pattern, options, narrowed := strings.Cut(cutComment(rule), "$")
	if narrowed && !isForWholeHost(options) {
		return "", ErrOption
	}
	if host, found := strings.CutPrefix(pattern, "||"); found {
		host, found = strings.CutSuffix(strings.TrimSuffix(host, "|"), "^")
		if !found {
			return "", ErrPattern
		}
		return host, nil
	}
	if address, found := addressOf(pattern); found {
		return address, nil
	}
	if narrowed || strings.HasPrefix(pattern, "-") || strings.HasPrefix(pattern, "_") || strings.HasSuffix(pattern, ".") {
		return "", ErrPattern // a part of an address
	}
	return pattern, nil // a plain host, if it is a host
}

// addressOf returns the IP address of a pattern such as |https://[2001:db8::1]^. Not all ad blockers
// find such an address after "||".
func addressOf(pattern string) (string, bool) {
	for _, start := range [...]string{"|https://", "|http://"} {
		if rest, found := strings.CutPrefix(pattern, start); found {
			host, found := strings.CutSuffix(rest, "^")
			return host, found && isIPHost(host)
		}
	}
	return "", false
}

// isForWholeHost reports whether a rule with the options still blocks the pages of its host when
// somebody opens them. A rule for pop-ups alone does not.
func isForWholeHost(options string) bool {
	pages, popups := false, false
	for option := range strings.SplitSeq(strings.ToLower(options), ",") {
		switch strings.TrimSpace(option) {
		case "all", "document", "doc":
			pages = true
		case "popup":
			popups = true
		case "important":
		default:
			return false
		}
	}
	return pages || !popups
}

// isCosmetic reports whether a rule hides or changes parts of pages: it has a separator such as ##,
// #@#, #?#, #$# or #%#.
func isCosmetic(rule string) bool {
	for at := range len(rule) {
		if rule[at] == '#' && strings.HasPrefix(strings.TrimLeft(rule[at+1:], "@?$%"), "#") {
			return true
		}
	}
	return false
}
