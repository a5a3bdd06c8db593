package phishlist

import (
	"bytes"
	"fmt"
	"math"

	"github.com/go-json-experiment/json/jsontext"
)

// arrays has the keys of the arrays, in both spellings.
var arrays = map[string]array{
	"allowlist": allowlist, "whitelist": allowlist,
	"blocklist": blocklist, "blacklist": blocklist,
	"fuzzylist": fuzzylist,
}

func (l *loader) readList() error {
	if _, err := l.decoder.ReadToken(); err != nil {
		return err
	}
	s := settings{tolerance: DefaultTolerance}
	seen := make(map[array]bool)
	isList := false // whether there is a key that only lists have
	for l.decoder.PeekKind() != jsontext.KindEndObject {
		token, err := l.decoder.ReadToken()
		if err != nil {
			return err
		}
		key := token.String()
		of, isArray := arrays[key]
		isList = isList || isArray || key == "name"
		switch {
		case key == "tolerance":
			err = l.readTolerance(&s.tolerance)
		case !isArray && key != "name", l.decoder.PeekKind() == jsontext.KindNull:
			err = l.decoder.SkipValue()
		case key == "name":
			err = l.readName(&s.name)
		case seen[of]:
			err = l.invalid("must be given in one spelling only")
		default:
			seen[of] = true
			err = l.readEntries(of)
		}
		if err != nil {
			return err
		}
	}
	if !isList {
		return l.invalid("must have one of the keys name, allowlist, blocklist, fuzzylist, whitelist and blacklist")
	}
	l.sink.endList(s)
	_, err := l.decoder.ReadToken()
	return err
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

// readEntries gives the strings of an array to the sink.
func (l *loader) readEntries(of array) error {
	if l.decoder.PeekKind() != jsontext.KindBeginArray {
		return l.reject("must be an array of strings")
	}
	if _, err := l.decoder.ReadToken(); err != nil {
		return err
	}
	for l.decoder.PeekKind() != jsontext.KindEndArray {
		host, err := l.readEntry()
		if err != nil {
			return err
		}
		if err := l.sink.entry(of, host, whyInvalid(host)); err != nil {
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
