package lists

import (
	"cmp"
	"errors"
	"regexp"
	"strings"

	"github.com/apguard/apguard/asset"
)

// Reasons why a record of a zone is refused, for errors.Is.
var (
	ErrPassthru = errors.New("is an exception of a zone")
	ErrTrigger  = errors.New("is a trigger of a zone other than a host")
	ErrOutside  = errors.New("is outside of the zone")
	ErrAction   = errors.New("is not a record of a zone that blocks")
)

// readRPZ reads a response policy zone (draft-vixie-dnsop-dns-rpz-00) in the form of a master file
// (RFC 1035, section 5). A host and its wildcard are two entries of the same asset.
func (l *reader) readRPZ() error {
	z := zone{}
	return l.each(func(line []byte) error {
		owner, data, has := z.record(string(line))
		if !has {
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
	// origin is what relative names are relative to, and name is the name of the zone. Both end
	// with a dot, or are empty as long as they are unknown.
	origin, name string
	// owner is the one of the last record.
	owner string
	// depth is the number of parentheses that are open.
	depth int
}

var quotedText = regexp.MustCompile(`"[^"]*"`)

// record returns the owner of a record, relative to the zone, and its type and data. It reports
// false if the line has none, or one that each zone has.
func (z *zone) record(line string) (owner string, data []string, has bool) {
	text, _, _ := strings.Cut(quotedText.ReplaceAllLiteralString(line, `""`), ";")
	inside := z.depth > 0
	z.depth = max(0, z.depth+strings.Count(text, "(")-strings.Count(text, ")"))
	fields := strings.Fields(text)
	switch {
	case inside || len(fields) == 0 || strings.EqualFold(fields[0], "$TTL"):
		return "", nil, false
	case strings.EqualFold(fields[0], "$ORIGIN") && len(fields) > 1:
		z.origin = z.absolute(strings.ToLower(fields[1]))
		z.name = cmp.Or(z.name, z.origin)
		return "", nil, false
	}
	if text[0] != ' ' && text[0] != '\t' {
		z.owner, fields = strings.ToLower(fields[0]), fields[1:]
	}
	for len(fields) > 0 && (isTTL(fields[0]) || strings.EqualFold(fields[0], "IN")) {
		fields = fields[1:]
	}
	if len(fields) > 0 && strings.EqualFold(fields[0], "SOA") {
		if name := z.absolute(z.owner); strings.HasSuffix(name, ".") {
			z.name = name
		}
		return "", nil, false
	}
	owner = z.relative(z.absolute(z.owner))
	return owner, fields, owner != "@" && (len(fields) == 0 || !strings.EqualFold(fields[0], "NS"))
}

// absolute returns a name with the origin, if that is known.
func (z *zone) absolute(name string) string {
	switch {
	case strings.HasSuffix(name, ".") || z.origin == "":
		return name
	case name == "@":
		return z.origin
	case z.origin == ".":
		return name + "."
	}
	return name + "." + z.origin
}

// relative returns a name without the one of the zone. The zone itself is "@". A name outside of
// the zone is empty.
func (z *zone) relative(name string) string {
	switch {
	case name == z.name:
		return "@"
	case z.name == "" || z.name == ".":
		return strings.TrimSuffix(name, ".")
	case strings.HasSuffix(name, "."+z.name):
		return strings.TrimSuffix(name, "."+z.name)
	case strings.HasSuffix(name, "."):
		return ""
	}
	return name
}

// isTTL reports whether a field is a time to live, such as 300 or 1h.
func isTTL(field string) bool {
	return '0' <= field[0] && field[0] <= '9' && strings.Trim(strings.ToLower(field), "0123456789smhdw") == ""
}

// identifyRecord returns the asset of a record that blocks a host.
func (l *reader) identifyRecord(owner string, data []string) (asset.Identity, error) {
	if owner == "" {
		return asset.Identity{}, ErrOutside
	}
	if last := owner[strings.LastIndexByte(owner, '.')+1:]; strings.HasPrefix(last, "rpz-") {
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
