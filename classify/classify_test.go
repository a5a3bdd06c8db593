package classify_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

func TestClassify_longest(t *testing.T) {
	t.Parallel()
	const start = "https://example.com/"
	longest := start + strings.Repeat("a", classify.MaxContent-len(start))

	got, err := classify.Classify("  " + longest + "\n")
	require.NoError(t, err)
	require.Equal(t, asset.Identity{Type: asset.TypeURL, Canonical: longest}, got.Identity)
}

func TestClassify_tooLong(t *testing.T) {
	t.Parallel()
	fill := func(start string, size int) string {
		return start + strings.Repeat("a", size-len(start))
	}
	tests := []struct {
		name    string
		content string
	}{
		{"one byte more than the limit", fill("https://example.com/", classify.MaxContent+1)},
		{"inner white space counts", "a" + strings.Repeat(" ", classify.MaxContent) + "a"},
		{"a word", fill("", classify.MaxContent+1)},
		{"a URL that percent-encoding extends", "https://example.com/" + strings.Repeat("\u00fc", 3000)},
		{"a URL that a slash extends", fill("https://example.com?", classify.MaxContent)},
		{"a page that percent-encoding extends", "example.com/" + strings.Repeat("\u00fc", 3000)},
		{"a page that a slash extends", fill("example.com?", classify.MaxContent)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := classify.Classify(test.content)
			requireRefused(t, classify.ReasonTooLong, err)
		})
	}
}

func TestClassify_longRefusals(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		content string
		reason  classify.Reason
	}{
		{"base58 digits", strings.Repeat("z", classify.MaxContent), classify.ReasonUnrecognized},
		{"0x and hexadecimal digits", "0x" + strings.Repeat("a", 8000), classify.ReasonHexLength},
		{"a handle", "@" + strings.Repeat("a", 8000), classify.ReasonInvalidHandle},
		{"a non-ASCII domain that is too long", strings.Repeat("\u00fc", 301) + ".com", classify.ReasonInvalidHost},
		{"a non-ASCII host that is too long", "https://" + strings.Repeat("\u00fc.", 151) + "com", classify.ReasonInvalidHost},
		{"a non-ASCII host whose punycode is too long", "https://" + strings.Repeat("\u00fc.", 38) + "com", classify.ReasonInvalidHost},
		{"an e-mail address with a domain that is too long", "a@" + strings.Repeat("\u00fc", 301) + ".com", classify.ReasonInvalidHost},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := classify.Classify(test.content)
			requireRefused(t, test.reason, err)
		})
	}
}

func TestClassify_invalidUTF8(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		content string
	}{
		{"a byte that UTF-8 never contains", "\xff"},
		{"an incomplete character", "https://example.com/\xc3"},
		{"a surrogate", "example.com/\xed\xa0\x80"},
		{"an overlong slash", "example.com\xc0\xaf"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := classify.Classify(test.content)
			requireRefused(t, classify.ReasonEncoding, err)
		})
	}
}
