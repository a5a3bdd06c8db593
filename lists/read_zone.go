package lists

import (
	"strings"
)

// readZone reads a response policy zone (draft-vixie-dnsop-dns-rpz) as a master file (RFC 1035,
// section 5). It takes the records whose action denies a domain or drops its queries.
func (l *reader) readZone() error {
	z := zone{origin: unknownZone, apex: unknownZone}
	var open zoneRecord
	err := l.each(func(line []byte) error {
		if !open.add(l.lines.number, line) {
			return nil
		}
		record := open
		open = zoneRecord{}
		return l.zoneRecord(&z, record)
	})
	if err == nil && open.depth > 0 {
		return l.refuse(open.line, "", ErrMalformed)
	}
	return err
}

// zoneRecord is a record of a zone. Parentheses join the lines of one.
type zoneRecord struct {
	line   int
	depth  int
	text   string
	fields []string
	// sameOwner reports whether the record has the owner of the one before it.
	sameOwner bool
}

// maxFields is the greatest number of fields of a record that count. Longer ones are not of a policy.
const maxFields = 16

// add adds a line. It reports whether the record is complete.
func (r *zoneRecord) add(number int, line []byte) bool {
	if r.line == 0 {
		r.line, r.text = number, string(line)
		r.sameOwner = line[0] == ' ' || line[0] == '\t'
	}
	start, isQuoted := -1, false
	end := func(at int) {
		if start >= 0 && len(r.fields) < maxFields {
			r.fields = append(r.fields, string(line[start:at]))
		}
		start = -1
	}
	for at, c := range line {
		switch {
		case c == '"':
			isQuoted = !isQuoted
		case isQuoted:
		case c == ';':
			end(at)
			return r.depth == 0
		case c == '(':
			end(at)
			r.depth++
			continue
		case c == ')':
			end(at)
			r.depth = max(0, r.depth-1)
			continue
		case c == ' ', c == '\t':
			end(at)
			continue
		}
		if start < 0 {
			start = at
		}
	}
	end(len(line))
	return r.depth == 0
}

// zone says how the names of a zone are to be read, in lower case and without the dot at the end.
type zone struct {
	// origin is the name to which relative names belong, and apex that of the zone.
	origin, apex string
	// owner is the owner of the last record.
	owner string
}

// unknownZone stands for the name of a zone that its file does not tell.
const unknownZone = "\x00"

// absolute returns a name of the file as an absolute one.
func (z *zone) absolute(name string) string {
	name = strings.ToLower(name)
	if absolute, found := strings.CutSuffix(name, "."); found {
		return absolute
	}
	if name == "@" {
		return z.origin
	}
	return name + "." + z.origin
}

// setApex sets the name of the zone, unless it is known.
func (z *zone) setApex(name string) {
	if z.apex != unknownZone {
		return
	}
	if z.apex = name; z.origin == unknownZone {
		z.origin = name
	}
}

// zoneRecord yields the entry of a record, if it is one of a policy.
func (l *reader) zoneRecord(z *zone, record zoneRecord) error {
	fields := record.fields
	switch {
	case len(fields) == 0:
		return nil
	case strings.HasPrefix(fields[0], "$"):
		return l.zoneDirective(z, record)
	case !record.sameOwner:
		z.owner = z.absolute(fields[0])
		fields = fields[1:]
	}
	kind, data := recordOf(fields)
	if kind == "SOA" {
		z.setApex(z.owner)
		return nil
	}
	z.setApex(z.origin)
	if z.owner == z.apex {
		return nil // such as NS
	}
	err := policyOf(kind, data)
	name, found := strings.CutSuffix(z.owner, "."+z.apex)
	switch {
	case err != nil:
	case !found:
		err = ErrOutOfZone
	case strings.HasPrefix(name[strings.LastIndexByte(name, '.')+1:], "rpz-"):
		err = ErrTrigger
	default:
		return l.zoneName(record, name)
	}
	return l.refuse(record.line, record.text, err)
}

// zoneName yields the entry of a domain that the zone denies.
func (l *reader) zoneName(record zoneRecord, name string) error {
	identity, err := hostIdentity(name)
	if strings.HasPrefix(name, "*.") {
		identity, err = domainIdentity(name)
	}
	if err != nil {
		return l.refuse(record.line, record.text, err)
	}
	return l.found(record.line, identity, l.opts.Status)
}

// zoneDirective follows a line such as $ORIGIN. Read does not follow those that make records.
func (l *reader) zoneDirective(z *zone, record zoneRecord) error {
	switch name := strings.ToUpper(record.fields[0]); {
	case name == "$TTL":
		return nil
	case name == "$ORIGIN" && len(record.fields) > 1:
		z.origin = z.absolute(record.fields[1])
		return nil
	}
	return l.refuse(record.line, record.text, ErrRecord)
}

// recordOf returns the type and the data of a record without its time to live and class.
func recordOf(fields []string) (kind string, data []string) {
	for at, field := range fields {
		upper := strings.ToUpper(field)
		if upper == "IN" || upper[0] >= '0' && upper[0] <= '9' {
			continue
		}
		return upper, fields[at+1:]
	}
	return "", nil
}

// policyOf returns an error if a record does not block its owner. The targets are those of section 3 of
// the draft: no such domain, no data, and no answer. An address that leads nowhere is usual, too.
func policyOf(kind string, data []string) error {
	if len(data) != 1 {
		return ErrRecord
	}
	target := strings.ToLower(data[0])
	switch {
	case kind == "CNAME" && (target == "." || target == "*." || target == "rpz-drop."):
		return nil
	case kind == "CNAME" && target == "rpz-passthru.":
		return &NotTakenError{NotTakenPassthru}
	case (kind == "A" || kind == "AAAA") && isBlocking(target):
		return nil
	}
	return ErrRecord
}
