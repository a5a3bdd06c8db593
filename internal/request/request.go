// Package request decodes the requests of the HTTP APIs and says what is wrong with them, with
// the messages that the server sends. It needs neither a server nor a network, so that a front
// end can check a request before it sends it.
//
// The methods of [Call] return the request of a domain package. Every error is an
// [*asset.InputError], [allowlist.ErrTooMany] or [check.ErrTooMany]; [Refusal] returns its text
// in the response.
package request

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/idempotency"
)

// Call is what a request consists of, apart from its operation.
type Call struct {
	// Body is the body, or empty for an operation without one.
	Body []byte
	// Query is the query of the URL, without the question mark.
	Query string
	// IdempotencyKeys are the values of the headers Idempotency-Key.
	IdempotencyKeys []string
	// Caller is who sends the request.
	Caller account.Principal
}

// specified returns the fields of the body of an operation of the specification.
func (c Call) specified(names ...string) fields {
	members, issues, err := decodeBody(c.Body, nameRule{fields: names, open: true})
	return fields{source: members, malformed: err, issues: issues}
}

// body returns the fields of the body of any other operation. Such an operation takes no query.
func (c Call) body(names ...string) fields {
	return c.bodyWith(nameRule{fields: names})
}

// bodyOfContents is [Call.body] for a batch whose contents are the strings of an array.
func (c Call) bodyOfContents(names ...string) fields {
	return c.bodyWith(nameRule{fields: names, contents: []string{"contents", anyElement}})
}

func (c Call) bodyWith(rule nameRule) fields {
	members, issues, err := decodeBody(c.Body, rule)
	f := c.parameters()
	f.source, f.issues = members, append(issues, f.issues...)
	if err != nil {
		f.malformed = err
	}
	return f
}

// unrepeatable returns the fields of the body of an operation that takes no idempotency key, for
// example because a stored response would show a secret again. records are what it operates on.
func (c Call) unrepeatable(records string, names ...string) fields {
	f := c.body(names...)
	f.refuseKey(c, "must not be given for an operation on "+records)
	return f
}

// query returns the fields of the query of an operation that only reads.
func (c Call) query(names ...string) fields {
	return c.reading(c.parameters(names...))
}

// parameters returns the fields of the query.
func (c Call) parameters(names ...string) fields {
	if c.Query == "" { // as for nearly all bodies
		return fields{source: query(nil)}
	}
	parameters, err := url.ParseQuery(c.Query)
	if err != nil {
		return fields{source: query{}, malformed: inputError("", "the query must be parameters in URL encoding")}
	}
	return fields{source: query(parameters), issues: nameRule{fields: names}.queryIssues(parameters)}
}

// reading refuses an idempotency key for an operation that only reads.
func (c Call) reading(f fields) fields {
	f.refuseKey(c, "must not be given for an operation that only reads")
	return f
}

// queryID returns a required ID of the query.
func (c Call) queryID(name string) (int64, error) {
	f := c.query(name)
	id := f.requiredID(name)
	return id, f.join()
}

// idempotencyKey returns the key of the call, or zero if there is none. Calls are the same if
// their bodies have the same bytes.
func (c Call) idempotencyKey() (idempotency.Key, error) {
	switch len(c.IdempotencyKeys) {
	case 0:
		return idempotency.Key{}, nil
	case 1:
	default:
		return idempotency.Key{}, inputError("Idempotency-Key", "must not be given twice")
	}
	key, err := idempotency.ParseKey(c.IdempotencyKeys[0])
	var invalid *idempotency.KeyError
	if errors.As(err, &invalid) {
		return idempotency.Key{}, inputError("Idempotency-Key", invalid.Message)
	}
	key.Fingerprint = sha256.Sum256(c.Body)
	return key, nil
}

// anyElement is the step of a path to each element of an array. Any other step is a name.
const anyElement = "*"

// withoutMalformed returns a JSON text of the same length in which the strings at the path are
// valid. It overwrites those with a lone surrogate or invalid UTF-8, and nothing else. An empty
// path leads to no string.
//
// Malformed JSON ends the search. The decoder reports it at the same place of the result.
func withoutMalformed(text []byte, path []string) []byte {
	if len(path) == 0 || utf8.Valid(text) && !hasSurrogate(text) {
		return text
	}
	valid := slices.Clone(text)
	_ = overwriteMalformed(uncheckedDecoder(text), valid, path)
	return valid
}

// hasSurrogate reports whether a text may have an escape of a surrogate.
func hasSurrogate(text []byte) bool {
	return bytes.Contains(text, []byte(`\ud`)) || bytes.Contains(text, []byte(`\uD`))
}

// overwriteMalformed overwrites the malformed strings at the path in the next value of the decoder.
func overwriteMalformed(decoder *jsontext.Decoder, text []byte, path []string) error {
	kind := decoder.PeekKind()
	switch {
	case len(path) == 0:
		literal, err := nextValue(decoder, text)
		if err == nil && kind == jsontext.KindString && !literal.IsValid() {
			quoted := literal[1 : len(literal)-1]
			copy(quoted, bytes.Repeat([]byte{' '}, len(quoted)))
		}
		return err
	case kind == jsontext.KindBeginArray && path[0] == anyElement:
		return eachMember(decoder, func() error { return overwriteMalformed(decoder, text, path[1:]) })
	case kind == jsontext.KindBeginObject && path[0] != anyElement:
		return eachMember(decoder, func() error {
			switch name, err := decoder.ReadToken(); {
			case err != nil:
				return err
			case name.String() == path[0]:
				return overwriteMalformed(decoder, text, path[1:])
			default:
				return decoder.SkipValue()
			}
		})
	default:
		return decoder.SkipValue()
	}
}

// eachMember calls read for each member of the next value, an object or array.
func eachMember(decoder *jsontext.Decoder, read func() error) error {
	if _, err := decoder.ReadToken(); err != nil {
		return err
	}
	for {
		switch decoder.PeekKind() {
		case jsontext.KindEndObject, jsontext.KindEndArray, jsontext.KindInvalid:
			_, err := decoder.ReadToken()
			return err
		default:
			if err := read(); err != nil {
				return err
			}
		}
	}
}

// unquote returns the text of a JSON string. If that is malformed, the text is invalid UTF-8.
func unquote(literal jsontext.Value) string {
	if bytes.IndexByte(literal, '\\') < 0 {
		return string(literal[1 : len(literal)-1])
	}
	unquoted, err := jsontext.AppendUnquote(nil, literal)
	if err != nil {
		// The decoder has put a valid character in place of each lone surrogate.
		return strings.ReplaceAll(string(unquoted), string(utf8.RuneError), "\xff")
	}
	return string(unquoted)
}

// ReadableContent returns a content of a batch as a response shows it: with U+FFFD in place of
// invalid UTF-8, which a malformed content has.
func ReadableContent(content string) string {
	return strings.ToValidUTF8(content, string(utf8.RuneError))
}
