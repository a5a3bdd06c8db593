package request_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/request"
)

// mostNames returns the maximum number of names of an object in the valid part of a text,
// and whether all of it is valid.
func mostNames(text string) (most int, valid bool) {
	decoder := jsontext.NewDecoder(strings.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for {
		_, err := decoder.ReadToken()
		if err != nil {
			return most, errors.Is(err, io.EOF)
		}
		for depth := range decoder.StackDepth() {
			// The length counts names and values, also that of a value without its end.
			if kind, length := decoder.StackIndex(depth + 1); kind == jsontext.KindBeginObject {
				most = max(most, int(length)/2)
			}
		}
	}
}

func FuzzTooManyNames(f *testing.F) {
	for _, text := range []string{
		``, `{}`, `[]`, `null`, `{"a":1}`, `{"a":{"b":2}} `, `{"a":`, `{"a`, `{"a":[{"b":1},{"c":2}]}`, "{\"\xff\":1}", `}{"a":1}`, `:`,
		`{"\ud800":1}`, `{"a":1,"a":2}`, "\ufeff{}",
	} {
		f.Add(text)
	}
	f.Add(`{"a":{"b":[{"c":0,"d":":"},{}],"\\":0},"\"":{}}`)
	f.Add(`{"a":0,"b\"":0,"c\\":1,"\\\"":2}`)
	f.Add(`["a:",":b",{":":":"}] {"a":1,"b":2`)
	f.Fuzz(func(t *testing.T, text string) {
		most, valid := mostNames(text)
		if most > 0 {
			require.True(t, request.TooManyNames([]byte(text), most-1), "%d names", most)
		}
		if valid {
			require.False(t, request.TooManyNames([]byte(text), most), "%d names", most)
		}
	})
}
