package lists

import (
	"errors"
	"strings"

	"github.com/apguard/apguard/asset"
)

// Reasons why a record of a zone is refused, for errors.Is.
var (
	ErrPassthru = errors.New("is an exception of a zone")
	ErrTrigger  = errors.New("is a trigger of a zone other than a host")
	ErrAction   = errors.New("is not a record of a zone that blocks")
)

// readRPZ reads a response policy zone (draft-vixie-dnsop-dns-rpz-00) in the form of a master file
// (RFC 1035, section 5). A host and its wildcard are one entry after the other.
func (l *reader) readRPZ() error {
	z := zone{}
	return l.each(func(line []byte) error {
		owner, data := z.record(string(line))
		if owner == "" {
			return nil
		}
		identity, err := l.identifyRecord(owner, data)
		if err != nil {
			return l.refuse(l.lines.number, string(line), err)
		}
		return l.found(l.lines.number, identity, l.opts.Status)
	})
}

// zone is the state of a zone that is read.
type zone struct {
	// origin is the name of the zone in lower case, between dots, or empty.
	origin string
	// apex is the name of the zone that its SOA record has.
	apex string
	// owner is the one of the last record.
	owner string
	// depth is the number of parentheses that are open.
	depth int
}

// record returns the owner of a record, relative to the zone, and its type and data. It returns no
// owner if the line has no record of a host.
func (z *zone) record(line string) (owner string, data []string) {
	text, _, _ := strings.Cut(line, ";")
	inside := z.depth > 0
	z.depth = max(0, z.depth+strings.Count(text, "(")-strings.Count(text, ")"))
	fields := strings.Fields(text)
	if inside || len(fields) == 0 {
		return "", nil
	}
	switch strings.ToUpper(fields[0]) {
	case "$ORIGIN":
		if len(fields) > 1 {
			z.origin = strings.ToLower(fields[1])
		}
		return "", nil
	case "$TTL", "$INCLUDE", "$GENERATE":
		return "", nil
	}
	if text[0] != ' ' && text[0] != '\t' {
		z.owner, fields = fields[0], fields[1:]
	}
	for len(fields) > 0 && (isTTL(fields[0]) || strings.EqualFold(fields[0], "IN")) {
		fields = fields[1:]
	}
	if len(fields) == 0 {
		return z.owner, nil
	}
	switch strings.ToUpper(fields[0]) {
	case "SOA":
		z.apex = strings.ToLower(z.owner)
		return "", nil
	case "NS":
		return "", nil
	}
	if z.owner == "@" {
		return "", nil
	}
	return z.relative(z.owner), fields
}

// relative returns an owner without the name of the zone.
func (z *zone) relative(owner string) string {
	if !strings.HasSuffix(owner, ".") {
		return owner
	}
	for _, name := range [...]string{z.origin, z.apex} {
		if under := "." + name; len(name) > 1 && len(owner) > len(under) && strings.EqualFold(owner[len(owner)-len(under):], under) {
			return owner[:len(owner)-len(under)]
		}
	}
	return strings.TrimSuffix(owner, ".")
}

// isTTL reports whether a field is a time to live, such as 300 or 1h.
func isTTL(field string) bool {
	return '0' <= field[0] && field[0] <= '9' && strings.Trim(strings.ToLower(field), "0123456789smhdw") == ""
}

// identifyRecord returns the asset of a record that blocks a host.
func (l *reader) identifyRecord(owner string, data []string) (asset.Identity, error) {
	if last := owner[strings.LastIndexByte(owner, '.')+1:]; strings.HasPrefix(strings.ToLower(last), "rpz-") {
		return asset.Identity{}, ErrTrigger
	}
	if len(data) != 2 || !strings.EqualFold(data[0], "CNAME") {
		return asset.Identity{}, ErrAction
	}
	switch strings.ToLower(data[1]) {
	case ".", "*.", "rpz-drop.":
	case "rpz-passthru.":
		return asset.Identity{}, ErrPassthru
	default:
		return asset.Identity{}, ErrAction
	}
	return l.identifyHost(strings.TrimPrefix(owner, "*."))
}
