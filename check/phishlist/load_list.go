package phishlist

import (
	"bytes"
	"fmt"
	"math"

	"github.com/go-json-experiment/json/jsontext"
)

// draft is a list that is being read.
type draft struct {
	number    int
	name      string
	tolerance int
	targets   []string
	// known has the targets, to find duplicates.
	known map[string]struct{}
	// allow and block report whether the array was read, in either spelling.
	allow, block bool
	// isList reports whether there was a key that only lists have.
	isList bool
}

func (l *loader) readList() error {
	if _, err := l.decoder.ReadToken(); err != nil {
		return err
	}
	d := draft{number: len(l.list.names), tolerance: DefaultTolerance}
	before := l.hosts
	for l.decoder.PeekKind() != jsontext.KindEndObject {
		key, err := l.decoder.ReadToken()
		if err != nil {
			return err
		}
		if err := l.readMember(&d, key.String()); err != nil {
			return err
		}
	}
	if !d.isList {
		return l.invalid("must have one of the keys name, allowlist, blocklist, fuzzylist, whitelist and blacklist")
	}
	if d.tolerance == 0 {
		d.targets = nil // fuzzy matching is off
	}
	if l.hosts > before || len(d.targets) > 0 { // a list without effect takes no memory
		l.list.names = append(l.list.names, d.name)
	}
	if len(d.targets) > 0 {
		targets := newFuzzyTargets(d.number, d.tolerance, d.targets)
		l.list.targets = append(l.list.targets, targets)
		l.list.longestName = max(l.list.longestName, targets.longest()+targets.tolerance)
	}
	_, err := l.decoder.ReadToken()
	return err
}

// readMember reads the value of a key.
func (l *loader) readMember(d *draft, key string) error {
	switch key {
	case "tolerance":
		return l.readTolerance(&d.tolerance)
	case "name", "fuzzylist", "allowlist", "whitelist", "blocklist", "blacklist":
		d.isList = true
	default:
		return l.decoder.SkipValue()
	}
	switch {
	case l.decoder.PeekKind() == jsontext.KindNull:
		return l.decoder.SkipValue()
	case key == "name":
		return l.readName(&d.name)
	case key == "fuzzylist":
		return l.readEntries(true, func(host []byte) error { return l.sink.target(d, host) })
	}
	allow, seen := true, &d.allow
	if key == "blocklist" || key == "blacklist" {
		allow, seen = false, &d.block
	}
	if *seen {
		return l.invalid("must be given in one spelling only")
	}
	*seen = true
	l.sink.begin(d.number, allow)
	return l.readEntries(false, l.addHost)
}

func (l *loader) readName(name *string) error {
	if l.decoder.PeekKind() != jsontext.KindString {
		return l.reject("must be a string")
	}
	token, err := l.decoder.ReadToken()
	if err == nil {
		*name = token.String()
	}
	return err
}

func (l *loader) readTolerance(tolerance *int) error {
	message := fmt.Sprintf("must be an integer from 0 to %d", MaxTolerance)
	switch l.decoder.PeekKind() {
	case jsontext.KindNull:
		return l.decoder.SkipValue()
	case jsontext.KindNumber:
	default:
		return l.reject(message)
	}
	token, err := l.decoder.ReadToken()
	if err != nil {
		return err
	}
	number, err := token.Float()
	if err != nil || number < 0 || number > MaxTolerance || number != math.Trunc(number) {
		return l.invalid(message)
	}
	*tolerance = int(number)
	return nil
}

// readEntries calls add for each entry that is a host, and tells the sink of the others. They
// may be fuzzy targets.
func (l *loader) readEntries(targets bool, add func(host []byte) error) error {
	if l.decoder.PeekKind() != jsontext.KindBeginArray {
		return l.reject("must be an array of strings")
	}
	if _, err := l.decoder.ReadToken(); err != nil {
		return err
	}
	for l.decoder.PeekKind() != jsontext.KindEndArray {
		entry, err := l.readEntry()
		if err != nil {
			return err
		}
		if reason := whyInvalid(entry); reason != "" {
			if err := l.sink.invalid(reason, targets); err != nil {
				return err
			}
			continue
		}
		if err := add(entry); err != nil {
			return err
		}
	}
	_, err := l.decoder.ReadToken()
	return err
}

// readEntry returns the next string of an array. It is valid until the next call.
func (l *loader) readEntry() ([]byte, error) {
	if l.decoder.PeekKind() != jsontext.KindString {
		return nil, l.reject("must be a string")
	}
	value, err := l.decoder.ReadValue()
	if err != nil {
		return nil, err
	}
	if bytes.IndexByte(value, '\\') < 0 {
		return value[1 : len(value)-1], nil
	}
	l.unquoted, err = jsontext.AppendUnquote(l.unquoted[:0], value)
	return l.unquoted, err
}

// addHost adds an entry of an allowlist or a blocklist.
func (l *loader) addHost(host []byte) error {
	effective, err := l.sink.host(host)
	if effective {
		l.hosts++
	}
	return err
}

// addTarget adds an entry of a fuzzylist.
func (l *loader) addTarget(d *draft, host []byte) error {
	if _, duplicate := d.known[string(host)]; duplicate {
		l.list.warnings.Duplicates++
		return nil
	}
	if l.targets == MaxTargets {
		return l.invalid(fmt.Sprintf("too many fuzzy targets: all lists together may have %d", MaxTargets))
	}
	l.targets++
	target := string(host)
	if d.known == nil {
		d.known = make(map[string]struct{})
	}
	d.known[target] = struct{}{}
	d.targets = append(d.targets, target)
	return nil
}
