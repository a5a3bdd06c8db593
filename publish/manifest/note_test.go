package manifest

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
)

const publisher = "apguard.example.com/lists"

func TestManifest_Sign(t *testing.T) {
	t.Parallel()
	one, two := newKey(t, publisher, 1), newKey(t, publisher, 2)
	m := whole()
	m.Time = m.Time.Add(456 * time.Microsecond).In(time.FixedZone("east", 3600))
	data, err := m.Sign(one, two)
	require.NoError(t, err)
	for _, verifier := range []note.Verifier{one.verifier, two.verifier} {
		got, err := Open(data, note.VerifierList(verifier))
		require.NoError(t, err)
		require.Equal(t, whole(), got, "in UTC and whole milliseconds")
	}

	m.Files = append(m.Files, m.Files[0])
	_, err = m.Sign(one)
	require.ErrorIs(t, err, ErrMalformed, "it signs nothing that clients refuse")
	_, err = whole().Sign()
	require.NoError(t, err)

	m.Files = nil
	for i := range int64(5000) {
		m.Files = append(m.Files, fileOf(KindHashes, "", i+1, i+2, 1))
	}
	_, err = m.Sign(one)
	require.ErrorIs(t, err, ErrMalformed, "it signs nothing that is too large")
}

// What is signed is read as it was, and an empty folder too.
func TestOpen_law(t *testing.T) {
	t.Parallel()
	signer := newKey(t, publisher, 1)
	rapid.Check(t, func(t *rapid.T) {
		m := Manifest{
			Version: at(1, rapid.Int64Range(0, asset.MaxID).Draw(t, "version")),
			Time:    time.UnixMilli(rapid.Int64Range(-62_135_596_800_000, 253_402_300_799_999).Draw(t, "time")).UTC(),
			Rules:   int(rapid.Int64Range(0, MaxFileSize).Draw(t, "rules")),
		}
		for i := range rapid.Int64Range(0, 9).Draw(t, "files") {
			kind := rapid.SampledFrom(kinds).Draw(t, "kind")
			f := fileOf(kind, rapid.SampledFrom([]string{"", "csv"}).Draw(t, "format"), i, i+1, rapid.Int64Range(0, MaxFileSize).Draw(t, "size"))
			m.Files = append(m.Files, f)
		}
		data, err := m.Sign(signer)
		require.NoError(t, err)
		got, err := Open(data, signer.list())
		require.NoError(t, err)
		require.Equal(t, m, got)
	})
}

// bad is a manifest that is refused.
type bad struct {
	data []byte
	want error
}

// refused returns manifests that are refused, by the reason.
func refused(tb testing.TB) map[string]bad {
	tb.Helper()
	signer := newKey(tb, publisher, 1)
	good, err := whole().Sign(signer)
	require.NoError(tb, err)
	replace := func(old, with string) []byte {
		require.Contains(tb, string(good), old)
		return bytes.Replace(good, []byte(old), []byte(with), 1)
	}
	text, signature, _ := strings.Cut(string(good), "\n\n")
	cases := map[string]bad{
		"empty":                         {nil, ErrSignature},
		"a page":                        {[]byte("<html>\n\n</html>\n"), ErrSignature},
		"no signature":                  {[]byte(text + "\n"), ErrSignature},
		"no signature after the text":   {[]byte(text + "\n\n"), ErrSignature},
		"cut in the signature":          {good[:len(good)-1], ErrSignature},
		"cut in the text":               {good[:100], ErrSignature},
		"changed text":                  {replace(`"size":1000`, `"size":1001`), ErrSignature},
		"changed signature":             {slices.Concat(good[:len(good)-8], []byte("AAAA\n")), ErrSignature},
		"another line end":              {bytes.ReplaceAll(good, []byte("\n"), []byte("\r\n")), ErrSignature},
		"a space in the signature":      {bytes.Replace(good, []byte(publisher+" "), []byte(publisher+"  "), 1), ErrSignature},
		"another key of the name":       {newKey(tb, publisher, 2).signed(tb, text+"\n"), ErrSignature},
		"another name of the key":       {newKey(tb, "other", 1).signed(tb, text+"\n"), ErrSignature},
		"the name of another signature": {replace("— "+publisher, "— other"), ErrSignature},
		"text after the signature":      {append(slices.Clone(good), "x\n"...), ErrSignature},
		"a wrong signature besides":     {append(slices.Clone(good), "— x +\n"...), ErrSignature},
		"a signature without a name":    {append(slices.Clone(good), "— AAAAAAAA\n"...), ErrSignature},
		"a short signature besides":     {append(slices.Clone(good), "— x AAAAAA==\n"...), ErrSignature},
		"a wrong signature first":       {[]byte(text + "\n\n" + signature[:len(signature)-8] + "AAAA\n" + signature), ErrSignature},
		"too many signatures":           {append(slices.Clone(good), strings.Repeat("— x AAAAAAAA\n", 100)...), ErrSignature},
		"not UTF-8":                     {append([]byte{0xff}, good...), ErrSignature},
		"too large":                     {append(bytes.Repeat([]byte("x\n"), MaxSize/2), good...), ErrMalformed},
	}
	for reason, text := range malformed(text) {
		cases[reason] = bad{signer.signed(tb, text+"\n"), ErrMalformed}
	}
	return cases
}

// malformed returns texts that are signed and not a manifest. The good one has a file of the kind hashes first.
func malformed(good string) map[string]string {
	replace := func(old, with string) string { return strings.Replace(good, old, with, 1) }
	file := `"files":[{`
	texts := map[string]string{
		"no JSON":                  "x",
		"an empty text":            "",
		"two values":               good + good,
		"a bracket after":          good + "]",
		"null":                     "null",
		"an array":                 "[]",
		"an empty object":          "{}",
		"a comma too many":         replace(`"files":[`, `"files":[,`),
		"a version that is none":   replace(`"version":"`, `"version":"AAAA","x":"`),
		"a number as version":      replace(`"version":"`, `"version":7,"x":"`),
		"no version":               replace(`"version"`, `"Version"`),
		"no time":                  replace(`"time"`, `"TIME"`),
		"null as time":             replace(`"time":"`, `"time":null,"x":"`),
		"a time without fraction":  replace(".123Z", "Z"),
		"a time with a comma":      replace(".123Z", ",123Z"),
		"a time with microseconds": replace(".123Z", ".123456Z"),
		"a time elsewhere":         replace(".123Z", ".123+00:00"),
		"a day that is none":       replace("2026-11-29", "2026-02-30"),
		"an hour that is none":     replace("T21:00:00", "T24:00:00"),
		"a text as rules":          replace(`"rulesVersion":1`, `"rulesVersion":"1"`),
		"rules with a fraction":    replace(`"rulesVersion":1`, `"rulesVersion":1.5`),
		"negative rules":           replace(`"rulesVersion":1`, `"rulesVersion":-1`),
		"a later field counts":     replace(`"rulesVersion":1`, `"rulesVersion":1,"rulesVersion":true`),
		"no files":                 replace(`"files"`, `"file"`),
		"an object as files":       `{"files":{},` + good[1:strings.Index(good, `"files"`)-1] + "}",
		"a file that is null":      replace(file, `"files":[null,{`),
		"a file that is an array":  replace(file, `"files":[[],{`),
		"a file without a kind":    replace(file, `"files":[{"name":"x"},{`),
		"a file without a version": replace(file, `"files":[{"name":"x","kind":"export","size":1,"sha256":"`+strings.Repeat("0", 64)+`"},{`),
		"a number as format":       replace(file, file+`"format":7,`),
		"null as since":            replace(file, file+`"since":null,`),
		"a step to its start":      replace(`"since":"`+at(1, 6).String(), `"since":"`+at(1, 8).String()),
		"a step back":              replace(`"kind":"hashes"`, `"kind":"hashes","since":"`+at(1, 9).String()+`"`),
		"two steps from a version": replace(`"since":"`+at(1, 6).String(), `"since":"`+at(1, 5).String()),
		"a negative size":          replace(`"size":1000`, `"size":-1`),
		"a size with a fraction":   replace(`"size":1000`, `"size":0.5`),
		"a size that is too large": replace(`"size":1000`, `"size":9007199254740992`),
		"a size beyond numbers":    replace(`"size":1000`, `"size":1e999`),
		"a text as size":           replace(`"size":1000`, `"size":"1000"`),
		"no size":                  replace(`"size":1000`, `"x":1000`),
		"a short SHA-256":          replace(`"sha256":"`, `"sha256":"00","x":"`),
		"a long SHA-256":           replace(`"sha256":"`, `"sha256":"00`),
		"a SHA-256 in capitals":    replace(`"sha256":"`, `"sha256":"`+strings.Repeat("A", 64)+`","x":"`),
		"a SHA-256 of other text":  replace(`"sha256":"`, `"sha256":"`+strings.Repeat("g", 64)+`","x":"`),
		"a name that comes twice":  replace("hashes-5-6.x", "hashes-0-5.x"),
	}
	for _, name := range []string{
		"", ".", "..", ".hidden", "../x", "a/b", `a\\b`, "/etc/passwd", "a b", "a%2fb", "ä", "a\u2215b", "x:y", "x?y", "x#y", "x_y", "x\\u0000", "x\\n",
		strings.Repeat("x", MaxName+1), Name,
	} {
		texts["the name "+name] = replace("hashes-0-5.x", name)
	}
	return texts
}

func TestOpen_refused(t *testing.T) {
	t.Parallel()
	verifiers := newKey(t, publisher, 1).list()
	cases := refused(t)
	for _, reason := range slices.Sorted(maps.Keys(cases)) {
		c := cases[reason]
		m, err := Open(c.data, verifiers)
		require.ErrorIs(t, err, c.want, reason)
		require.Zero(t, m, reason)
	}
	_, err := Open(nil, nil)
	require.ErrorIs(t, err, ErrSignature)
}

// accepted returns manifests that are read as the whole one, by the reason.
func accepted(tb testing.TB) map[string][]byte {
	tb.Helper()
	signer, other := newKey(tb, publisher, 1), newKey(tb, "other", 2)
	text := whole().encode()
	replace := func(old, with string) []byte {
		require.Contains(tb, text, old)
		return signer.signed(tb, strings.Replace(text, old, with, 1))
	}
	two, err := whole().Sign(other, signer, other)
	require.NoError(tb, err)
	return map[string][]byte{
		"as it is made":                 signer.signed(tb, text),
		"another signature besides":     two,
		"an unknown field":              replace(`"time"`, `"x":{"y":[1e999,null]},"time"`),
		"an unknown field of a file":    replace(`"kind"`, `"x":"../y","kind"`),
		"a file of an unknown kind":     replace(`"files":[`, `"files":[{"kind":"zone","name":"../x"},`),
		"numbers in another form":       replace(`"size":1000`, `"size":1.0e3`),
		"several lines":                 signer.signed(tb, strings.ReplaceAll(text, ",", ",\n\n ")),
		"an escape in a name":           replace("hashes-0-5.x", `\u0068ashes-0-5.x`),
		"a field that comes twice":      replace(`"rulesVersion":1`, `"rulesVersion":true,"rulesVersion":1`),
		"a field in other letters":      replace(`"rulesVersion":1`, `"rulesVersion":1,"RulesVersion":7`),
		"a since that is empty":         replace(`"kind":"hashes"`, `"kind":"hashes","since":""`),
		"a signature that comes twice":  repeatSignature(signer.signed(tb, text)),
		"a field with a special name":   replace(`"time"`, `"__proto__":{"files":[]},"constructor":1,"time"`),
		"a file with the special names": replace(`"kind"`, `"__proto__":{"size":1},"toString":1,"kind"`),
	}
}

func repeatSignature(data []byte) []byte {
	_, signature, _ := bytes.Cut(data, []byte("\n\n"))
	return append(slices.Clone(data), signature...)
}

func TestOpen_accepted(t *testing.T) {
	t.Parallel()
	for reason, data := range accepted(t) {
		m, err := Open(data, newKey(t, publisher, 1).list())
		require.NoError(t, err, reason)
		require.Equal(t, whole(), m, reason)
	}
}

// anyKey accepts each signature, so that fuzzing gets to the text.
type anyKey struct{ note.Verifier }

func (anyKey) Verify([]byte, []byte) bool { return true }

// Open accepts only what can be signed again and is then the same.
func FuzzOpen(f *testing.F) {
	signer := newKey(f, publisher, 1)
	verifiers := note.VerifierList(anyKey{signer.verifier})
	for _, c := range refused(f) {
		if len(c.data) < 10_000 {
			f.Add(c.data)
		}
	}
	for _, data := range accepted(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Open(data, verifiers)
		if err != nil {
			require.Zero(t, m)
			return
		}
		again, err := m.Sign(signer)
		require.NoError(t, err)
		got, err := Open(again, signer.list())
		require.NoError(t, err)
		require.Equal(t, m, got)
		_, _ = m.Hashes(asset.FeedCursor{})
		_, _ = m.Export(FormatJSONL)
	})
}
