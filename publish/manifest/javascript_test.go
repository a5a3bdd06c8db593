package manifest

import (
	"bytes"
	"encoding/hex"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/test/rulestest"
	"github.com/apguard/apguard/internal/test/testsize"
)

// codeOf returns the code of rules/js for an error.
func codeOf(err error) string {
	var rules *RulesError
	if errors.As(err, &rules) {
		return "OTHER_RULES"
	}
	for code, target := range map[string]error{
		"SIGNATURE": ErrSignature, "MALFORMED": ErrMalformed, "OLDER": ErrOlder, "TOO_OLD": ErrTooOld, "FUTURE": ErrFuture, "NO_HASHES": ErrMissing,
		"OTHER_STORE": ErrOtherStore,
	} {
		if errors.Is(err, target) {
			return code
		}
	}
	return ""
}

// readInJavaScript returns what JavaScript must have read.
func readInJavaScript(m Manifest, r rulestest.ManifestRequest, last Manifest) rulestest.Manifest {
	held, _ := asset.ParseFeedCursor(r.Held)
	path, err := m.Hashes(held)
	want := rulestest.Manifest{
		Refusal: codeOf(m.Refusal(last, r.Now, r.MaxAge)), Path: append([]string{}, names(path)...), PathCode: codeOf(err),
		Version: m.Version.String(), Time: m.Time.UnixMilli(), Rules: int64(m.Rules), Files: []rulestest.ManifestFile{},
	}
	for _, f := range m.Files {
		want.Files = append(want.Files, rulestest.ManifestFile{
			Name: f.Name, Kind: string(f.Kind), Since: f.Since.String(), Version: f.Version.String(), Size: f.Size,
			SHA256: hex.EncodeToString(f.SHA256[:]),
		})
	}
	return want
}

// JavaScript accepts and refuses the same manifests as Go, for the same reasons.
func TestOpen_javaScript(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	js := rulestest.NewHashLists(t, rulestest.Rules{})
	signer := newKey(t, publisher, 1)
	request := rulestest.ManifestRequest{VerifierKey: signer.public, Now: someTime, MaxAge: time.Hour, Rules: classify.Version}
	cases := refused(t)
	for _, reason := range slices.Sorted(maps.Keys(cases)) {
		request.Data = cases[reason].data
		require.Equal(t, codeOf(cases[reason].want), js.Manifest(t, request).Code, reason)
	}
	for reason, data := range accepted(t) {
		request.Data = data
		require.Equal(t, readInJavaScript(whole(), request, Manifest{}), js.Manifest(t, request), reason)
	}
	request.Data = accepted(t)["another signature besides"]
	other := newKey(t, "other", 2)
	request.VerifierKey = other.public + "\n" + signer.public
	require.Empty(t, js.Manifest(t, request).Code, "one of two keys")
	_, wrong, _ := bytes.Cut(other.signed(t, "another text\n"), []byte("\n\n"))
	request.Data = slices.Concat(accepted(t)["as it is made"], wrong)
	require.Equal(t, "SIGNATURE", js.Manifest(t, request).Code, "a wrong signature of one of two keys")
	_, err := Open(request.Data, note.VerifierList(signer.verifier, other.verifier))
	require.ErrorIs(t, err, ErrSignature)

	request.Data, request.VerifierKey = accepted(t)["as it is made"], signer.public
	for reason, c := range refusals() {
		last, err := c.last.Sign(signer)
		require.NoError(t, err)
		client := request
		client.Last, client.Now, client.MaxAge = last, someTime.Add(c.now), c.maxAge
		require.Equal(t, codeOf(c.want), js.Manifest(t, client).Refusal, reason)
	}
	for reason, public := range map[string]string{
		"no key":               "",
		"no hash":              publisher + "+" + signer.public[len(publisher)+10:],
		"another hash":         strings.Replace(signer.public, "+", "+0", 1),
		"a name with a space":  "a " + signer.public,
		"another name":         "a" + signer.public,
		"a short key":          signer.public[:len(signer.public)-4],
		"not base64":           signer.public[:len(signer.public)-4] + "****",
		"a key of other bytes": signer.public[:len(signer.public)-4] + "AAAA",
	} {
		request.VerifierKey = public
		require.Equal(t, "SIGNATURE", js.Manifest(t, request).Code, reason)
	}
}

// JavaScript reads, refuses and follows drawn manifests as Go does.
func TestOpen_javaScript_law(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	js := rulestest.NewHashLists(t, rulestest.Rules{})
	signer := newKey(t, publisher, 1)
	codes := make(map[string]int)
	rapid.Check(t, func(t *rapid.T) {
		for range 10 {
			last, m := drawManifest(t), drawManifest(t)
			lastData, err := last.Sign(signer)
			require.NoError(t, err)
			data, err := signer.signText(drawFault(t, m.encode()))
			require.NoError(t, err)
			request := rulestest.ManifestRequest{
				Data: data, VerifierKey: signer.public, Last: lastData,
				Now:    someTime.Add(time.Duration(rapid.SampledFrom([]int{-301, -300, -1, 0, 59, 60, 61}).Draw(t, "now")) * time.Second),
				MaxAge: time.Minute, Rules: classify.Version, Held: drawPosition(t, "held").String(),
			}
			got := js.Manifest(t, request)
			m, err = Open(data, signer.list())
			require.Equal(t, codeOf(err), got.Code, "%v: %s", err, data)
			codes[got.Code]++
			if err == nil {
				require.Equal(t, readInJavaScript(m, request, last), got, "%s", data)
				codes[got.Refusal]++
				codes[got.PathCode]++
			}
		}
	})
	t.Log(codes)
	for _, code := range []string{"", "MALFORMED", "OLDER", "OTHER_STORE", "NO_HASHES"} {
		require.Positive(t, codes[code], code)
	}
}

// drawPosition draws one of a few versions of two stores.
func drawPosition(t *rapid.T, label string) asset.FeedCursor {
	return at(rapid.SampledFrom([]byte{1, 1, 1, 1, 2}).Draw(t, label+" store"), rapid.Int64Range(0, 5).Draw(t, label))
}

// drawManifest draws a manifest whose hash lists lead somewhere.
func drawManifest(t *rapid.T) Manifest {
	m := Manifest{
		Version: drawPosition(t, "version"),
		Time:    someTime.Add(time.Duration(rapid.Int64Range(-2, 2).Draw(t, "time")) * time.Millisecond),
		Rules:   classify.Version + rapid.SampledFrom([]int{0, 0, 0, 0, 1}).Draw(t, "rules"),
	}
	for since := range int64(5) {
		for _, kind := range []Kind{KindHashes, KindChanges} {
			if rapid.IntRange(0, 3).Draw(t, "step") > 0 && (since > 0 || kind == KindChanges) {
				m.Files = append(m.Files, fileOf(kind, "", since, rapid.Int64Range(since+1, 5).Draw(t, "to"), rapid.Int64Range(0, 5).Draw(t, "size")))
			}
		}
		if rapid.IntRange(0, 2).Draw(t, "whole") == 0 {
			m.Files = append(m.Files, fileOf(KindHashes, "", 0, since, rapid.Int64Range(0, 20).Draw(t, "size")))
		}
	}
	return m
}

// drawFault returns a text with at most one fault.
func drawFault(t *rapid.T, text string) string {
	place := rapid.IntRange(0, len(text)-2).Draw(t, "place")
	switch rapid.IntRange(0, 5).Draw(t, "fault") {
	case 0:
		char := rapid.SampledFrom(strings.Split(`0 1 9 - . e E + " { } [ ] : , \ a Z _ / é`, " ")).Draw(t, "character")
		return text[:place] + char + text[place+1:]
	case 1:
		return text[:place] + text[place+rapid.IntRange(0, min(9, len(text)-2-place)).Draw(t, "cut"):]
	case 2:
		word := rapid.SampledFrom([]string{"null", "true", "0", "-0", "1e3", "1.0", "1e999", "9007199254740993", `""`, "{}", "[]", `"\ud800"`}).Draw(t, "value")
		colon := strings.IndexByte(text[place:], ':')
		if colon < 0 {
			return text
		}
		end := strings.IndexAny(text[place+colon:], ",}]")
		return text[:place+colon+1] + word + text[place+colon+end:]
	default:
		return text
	}
}
