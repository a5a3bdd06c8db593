package classifytest_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/classify/classifytest"
)

func requireIs(t require.TestingT, want classify.Result, content string) {
	got, err := classify.Classify(content)
	require.NoError(t, err, "%q", content)
	require.Equal(t, want, got, "%q", content)
}

func TestGenerators(t *testing.T) {
	t.Parallel()
	generators := map[asset.Type]*rapid.Generator[classifytest.Case]{
		asset.TypeURL:       classifytest.URL(),
		asset.TypePage:      classifytest.Page(),
		asset.TypeAddress:   classifytest.Address(),
		asset.TypeEmail:     classifytest.Email(),
		asset.TypeTwitter:   classifytest.Twitter(),
		asset.TypeInstagram: classifytest.Instagram(),
		asset.TypeTikTok:    classifytest.TikTok(),
		asset.TypeTelegram:  classifytest.Telegram(),
		asset.TypeDiscord:   classifytest.Discord(),
		asset.TypeMedium:    classifytest.Medium(),
		asset.TypeGitHub:    classifytest.GitHub(),
		asset.TypeYouTube:   classifytest.YouTube(),
		asset.TypeLinkedIn:  classifytest.LinkedIn(),
		asset.TypeTwitch:    classifytest.Twitch(),
	}
	for kind, generator := range generators {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				drawn := generator.Draw(t, "content")
				require.Equal(t, kind, drawn.Type)
				requireIs(t, drawn.Result, drawn.Content)
			})
		})
	}
}

func TestAddressOf(t *testing.T) {
	t.Parallel()
	for _, network := range classify.Networks() {
		t.Run(string(network), func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				drawn := classifytest.AddressOf(network).Draw(t, "address")
				require.Equal(t, network, drawn.Network)
				requireIs(t, drawn.Result, drawn.Content)
			})
		})
	}
}

func TestAddressOf_unknownNetwork(t *testing.T) {
	t.Parallel()
	require.Panics(t, func() { classifytest.AddressOf("nowhere") })
}

func TestHandle(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		drawn := classifytest.Handle().Draw(t, "handle")
		require.NotContains(t, drawn.Content, "/")
		requireIs(t, drawn.Result, drawn.Content)
	})
}

func TestVariant(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		of := classifytest.Content().Draw(t, "content").Result
		drawn := classifytest.Variant(of).Draw(t, "variant")
		require.Equal(t, of.Identity, drawn.Identity)
		require.Equal(t, of.Network, drawn.Network)
		requireIs(t, drawn.Result, drawn.Content)
	})
}

func TestVariant_longest(t *testing.T) {
	t.Parallel()
	const start = "https://example.com/"
	longest, err := classify.Classify(start + strings.Repeat("a", classify.MaxContent-len(start)))
	require.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) {
		drawn := classifytest.Variant(longest).Draw(t, "variant")
		require.Equal(t, longest.Identity, drawn.Identity)
		requireIs(t, drawn.Result, drawn.Content)
	})
}

func TestDamaged(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		drawn := classifytest.Damaged().Draw(t, "damaged")
		got, err := classify.Classify(drawn.Content)
		if drawn.Reason == "" {
			require.NotEqual(t, drawn.Of.Identity, got.Identity, "%q", drawn.Content)
			return
		}
		var refusal *classify.Error
		require.ErrorAs(t, err, &refusal, "%q", drawn.Content)
		require.Equal(t, drawn.Reason, refusal.Reason, "%q", drawn.Content)
	})
}

// A reserved domain is a handle only with an @.
func TestVariant_reservedDomain(t *testing.T) {
	t.Parallel()
	of, err := classify.Classify("@localhost")
	require.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) {
		drawn := classifytest.Variant(of).Draw(t, "variant")
		requireIs(t, drawn.Result, drawn.Content)
	})
}

func TestVariant_coverage(t *testing.T) {
	t.Parallel()
	tests := []struct {
		content string
		wanted  []string
	}{
		{"https://example.com", []string{
			"https://example.com", "https://EXAMPLE.COM", "HTTPS://", ":443", "user@", " https", "https:/example", "example.com.", "/..", "#top", "\\",
		}},
		{"@jack", []string{"@jack", "JACK", "x.com/jack", "www.x.com", "twitter.com/@jack", "%6A", "?lang=en", "jack/", "http://", "\u3002com"}},
		{"https://example.com/l%20o?q=%2F%25", []string{"%2f", "=%2F%\x00"}},
		{"https://example.com/login", []string{"login?", "lo%67in"}},
		{"github.com/owner/repo", []string{".git", "Http", "m.github.com"}},
		{"b\u00fccher.de", []string{"b\u00fccher.de", "XN--BCHER-KVA"}},
		{"0xd8da6bf26964af9d7eed9e03e53415d37aa96045", []string{"0XD8DA6BF26964AF9D7EED9E03E53415D37AA96045"}},
		{"bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", []string{"BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4"}},
	}
	for _, test := range tests {
		t.Run(test.content, func(t *testing.T) {
			t.Parallel()
			of, err := classify.Classify(test.content)
			require.NoError(t, err)
			var all strings.Builder
			for seed := range 2000 {
				all.WriteString(classifytest.Variant(of).Example(seed).Content + "\x00")
			}
			for _, wanted := range test.wanted {
				require.Contains(t, all.String(), wanted)
			}
		})
	}
}

// TestGenerators_coverage looks for important kinds of contents.
func TestGenerators_coverage(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for seed := range 5000 {
		content := classifytest.Hostile().Example(seed)
		seen["invalid UTF-8"] = seen["invalid UTF-8"] || !utf8.ValidString(content)
		seen["an override"] = seen["an override"] || strings.Contains(content, "\u202e")
		seen["a byte order mark"] = seen["a byte order mark"] || strings.Contains(content, "\ufeff")
		seen["a thousand dots"] = seen["a thousand dots"] || strings.Count(content, ".") > 1000
		seen["a thousand percent signs"] = seen["a thousand percent signs"] || strings.Count(content, "%25") > 1000
		seen["the maximum length"] = seen["the maximum length"] || len(content) == classify.MaxContent
		seen["one byte more"] = seen["one byte more"] || len(content) == classify.MaxContent+1

		seen[string(classifytest.Content().Example(seed).Type)] = true
		seen["damage: "+string(classifytest.Damaged().Example(seed).Reason)] = true
	}
	for _, what := range []string{
		"invalid UTF-8", "an override", "a byte order mark", "a thousand dots", "a thousand percent signs",
		"the maximum length", "one byte more",
		"URL", "PAGE", "ADDRESS", "EMAIL", "TWITTER", "INSTAGRAM", "TIKTOK", "TELEGRAM", "DISCORD", "MEDIUM", "GITHUB", "YOUTUBE",
		"LINKEDIN", "TWITCH",
		"damage: ", "damage: EMPTY", "damage: TOO_LONG", "damage: ENCODING", "damage: FORBIDDEN_CHARACTER",
		"damage: UNKNOWN_SCHEME", "damage: MISSING_SLASHES", "damage: INVALID_HOST", "damage: INVALID_PORT",
		"damage: SECRET", "damage: HEX_LENGTH", "damage: CHECKSUM", "damage: INVALID_ADDRESS", "damage: USER_INFO", "damage: UNKNOWN_SUFFIX", "damage: BARE_SUFFIX",
		"damage: INVALID_HANDLE", "damage: RESERVED_WORD", "damage: RESERVED_DOMAIN", "damage: DEFANGED", "damage: TELEPHONE_NUMBER", "damage: UNRECOGNIZED",
	} {
		require.True(t, seen[what], what)
	}
}
