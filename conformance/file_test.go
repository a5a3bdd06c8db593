package conformance_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/conformance"
)

// file is a file with vectors.
type file struct {
	Schema       string   `json:"$schema"`
	Kind         kind     `json:"kind"`
	RulesVersion int      `json:"rulesVersion"`
	Vectors      []vector `json:"vectors"`
}

// vector is what a rule is given and what it answers. The name says why it is there.
type vector struct {
	Name  string          `json:"name"`
	Given json.RawMessage `json:"given"`
	Want  json.RawMessage `json:"want"`
}

// kind is the name of a file without its extension.
type kind string

// rule answers what a vector gives, in JSON. It also returns that in its canonical form.
type rule func(t require.TestingT, given json.RawMessage) (canonical, answer json.RawMessage)

// rules are the rules of all kinds, by public functions of Go.
var rules = map[kind]rule{
	"acts":      ruleOf(perform),
	"identity":  ruleOf(identify),
	"covers":    ruleOf(cover),
	"check":     ruleOf(decide),
	"decisions": ruleOf(settle),
	"hashlists": ruleOf(apply),
	"webhooks":  ruleOf(verify),
}

// ruleOf returns the rule of a function.
func ruleOf[G, A any](answer func(require.TestingT, G) A) rule {
	return func(t require.TestingT, given json.RawMessage) (json.RawMessage, json.RawMessage) {
		var g G
		decode(t, given, &g)
		return encode(t, g), encode(t, answer(t, g))
	}
}

func decode(t require.TestingT, text []byte, into any) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	require.NoError(t, decoder.Decode(into), "%.200s", text)
}

func encode(t require.TestingT, value any) json.RawMessage {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	require.NoError(t, encoder.Encode(value))
	return bytes.TrimSpace(text.Bytes())
}

// read returns the file of a kind, and its text.
func read(t require.TestingT, k kind) (file, []byte) {
	text, err := fs.ReadFile(conformance.Files(), string(k)+".json")
	require.NoError(t, err)
	var f file
	decode(t, text, &f)
	return f, text
}

// made returns the file with these vectors as the rules make it.
func made(t require.TestingT, k kind, vectors []vector) file {
	f := file{Schema: "./schema.json", Kind: k, RulesVersion: classify.Version, Vectors: []vector{}}
	for _, v := range vectors {
		v.Given, v.Want = rules[k](t, v.Given)
		f.Vectors = append(f.Vectors, v)
	}
	return f
}

// text returns the text of the file.
func (f file) text(t require.TestingT) []byte {
	var b bytes.Buffer
	decoder := json.NewDecoder(bytes.NewReader(encode(t, f)))
	decoder.UseNumber()
	writeValue(t, &b, decoder, "")
	return append(ascii(b.String()), '\n')
}

// width is how long a value may be that is written on one line.
const width = 120

// writeValue writes the next value of a decoder: on one line if it fits, or else one member a line.
func writeValue(t require.TestingT, b *bytes.Buffer, from *json.Decoder, indent string) {
	token, err := from.Token()
	require.NoError(t, err)
	opening, isDelim := token.(json.Delim)
	if !isDelim {
		b.Write(encode(t, token))
		return
	}
	inner := indent + "  "
	var members []string
	for from.More() {
		var member bytes.Buffer
		if opening == '{' {
			name, err := from.Token()
			require.NoError(t, err)
			member.Write(encode(t, name))
			member.WriteString(": ")
		}
		writeValue(t, &member, from, inner)
		members = append(members, member.String())
	}
	closing, err := from.Token()
	require.NoError(t, err)
	line := fmt.Sprint(opening) + strings.Join(members, ", ") + fmt.Sprint(closing)
	if len(indent)+len(line) <= width && !strings.Contains(line, "\n") {
		b.WriteString(line)
		return
	}
	fmt.Fprintf(b, "%v\n%s%s\n%s%v", opening, inner, strings.Join(members, ",\n"+inner), indent, closing)
}

// ascii returns JSON with all other characters escaped, since some cannot be seen or change the direction of
// the text around them.
func ascii(text string) []byte {
	var b []byte
	for _, r := range text {
		if r < 0x7f {
			b = append(b, byte(r))
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			b = fmt.Appendf(b, `\u%04x`, unit)
		}
	}
	return b
}
