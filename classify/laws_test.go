package classify_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/classify/classifytest"
)

// recognized holds every type that Classify returns.
var recognized = []asset.Type{
	asset.TypeURL, asset.TypePage, asset.TypeAddress, asset.TypeEmail,
	asset.TypeTwitter, asset.TypeInstagram, asset.TypeTikTok, asset.TypeTelegram, asset.TypeDiscord,
	asset.TypeMedium, asset.TypeGitHub, asset.TypeYouTube, asset.TypeLinkedIn, asset.TypeTwitch,
}

// requireLaws requires the laws of Classify for a content. It returns the result, and
// false if the content is refused.
func requireLaws(t require.TestingT, content string) (classify.Result, bool) {
	got, err := classify.Classify(content)
	again, againErr := classify.Classify(content)
	require.Equal(t, got, again, "the same content twice: %q", content)
	require.Equal(t, err, againErr, "the same content twice: %q", content)
	if err != nil {
		var refusal *classify.Error
		require.ErrorAs(t, err, &refusal)
		require.Contains(t, classify.Reasons(), refusal.Reason)
		require.Zero(t, got)
		return got, false
	}

	require.Contains(t, recognized, got.Type)
	require.Equal(t, got.Type == asset.TypeAddress, got.Network != "", "only addresses have a network: %q", content)
	require.LessOrEqual(t, len(got.Canonical), classify.MaxContent)
	require.True(t, utf8.ValidString(got.Canonical))
	require.Equal(t, -1, strings.IndexFunc(got.Canonical, isHostile), "%q", got.Canonical)
	require.Equal(t, strings.TrimSpace(content), got.Content)
	if got.Type == asset.TypeURL || got.Type == asset.TypePage {
		require.Equal(t, normalEscapes(withoutEmptyQuery(got.Canonical)), got.Canonical, "%q", content)
	}

	requireSame(t, got, got.Canonical, "the canonical form")
	requireSame(t, got, " \t\n\u00a0"+content+"\u3000\r\n", "white space around it")
	for _, variant := range caseVariants(content, got) {
		requireSame(t, got, variant, "another letter case")
	}
	return got, true
}

func requireSame(t require.TestingT, want classify.Result, content, what string) {
	got, err := classify.Classify(content)
	require.NoError(t, err, "%s: %q", what, content)
	require.Equal(t, want.Identity, got.Identity, "%s: %q", what, content)
	require.Equal(t, want.Network, got.Network, "%s: %q", what, content)
}

func isHostile(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\ufeff'
}

// caseVariants returns the content in other letter cases with the same meaning.
func caseVariants(content string, result classify.Result) []string {
	content = strings.TrimSpace(content)
	switch {
	case result.Type == asset.TypeAddress && isCaseFree(content, result):
		return []string{strings.ToLower(content), strings.ToUpper(content)}
	case result.Type == asset.TypeAddress:
		return nil
	}
	end := len(content)
	scheme := 0
	if i := strings.IndexAny(content, `:/\?#`); i >= 0 && slices.Contains([]string{"http:", "https:"}, asciiLower(content[:i+1])) {
		scheme = i + 1 + len(content[i+1:]) - len(strings.TrimLeft(content[i+1:], `/\`))
	}
	if i := strings.IndexAny(content[scheme:], `/\?#`); i >= 0 {
		end = scheme + i
	}
	free, rest := content[:end], content[end:]
	variants := []string{asciiLower(free) + rest, asciiUpper(free) + rest, swapCase(free) + rest}
	if isWord(strings.TrimPrefix(content, "@")) {
		return slices.DeleteFunc(variants, isBase58)
	}
	return variants
}

// isCaseFree reports whether an address may be all lower or all upper case.
func isCaseFree(content string, result classify.Result) bool {
	switch result.Network {
	case classify.NetworkEVM, classify.NetworkMove, classify.NetworkBitcoinCash, classify.NetworkCosmos:
		return true
	case classify.NetworkTON:
		return strings.HasSuffix(strings.ToLower(content), result.Canonical)
	case classify.NetworkZcash:
		return strings.Contains(asciiLower(content), "tex1") && !strings.Contains(content, result.Canonical)
	case classify.NetworkBitcoin, classify.NetworkLitecoin, classify.NetworkCardano:
		bech32 := []string{"bc1", "ltc1", "addr1", "stake1"}
		return slices.ContainsFunc(bech32, func(prefix string) bool { return strings.HasPrefix(result.Canonical, prefix) })
	default:
		return false
	}
}

// isBase58 reports whether a handle in another letter case is an address or a secret,
// valid or damaged.
func isBase58(variant string) bool {
	got, err := classify.Classify(variant)
	var refusal *classify.Error
	if errors.As(err, &refusal) {
		return refusal.Reason == classify.ReasonSecret || refusal.Reason == classify.ReasonChecksum
	}
	return got.Type == asset.TypeAddress
}

func isWord(content string) bool {
	return strings.IndexFunc(content, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) }) < 0
}

func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

func asciiUpper(s string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' {
			return r + 'A' - 'a'
		}
		return r
	}, s)
}

func swapCase(s string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r ^ 0x20
		}
		return r
	}, s)
}

// pieces draws a sequence of texts that have a meaning in some rule.
func pieces() *rapid.Generator[string] {
	words := []string{
		"http", "https", "HTTP", "ftp", ":", "/", "//", "://", "\\", "?", "#", "#/", "#!", "@", ".", "..", "+", "-", "_", "&", "~",
		":80", ":443", ":8080", ":0", ":65536", "[::1]", "[", "]", "1.2.3.4", "0x7f.1", "0x", "127.1", "-443", "1",
		"www.", "m.", "mobile.", "de.", "ptb.", "canary.", "x.com", "twitter.com", "instagram.com", "instagr.am", "tiktok.com",
		"t.me", "telegram.me", "telegram.dog", "discord.gg", "discord.com", "medium.com", "github.com", "youtube.com",
		"linkedin.com", "twitch.tv", "example", ".com", ".co.uk", "example.com", "com", "b\u00fccher.de", "xn--bcher-kva", "xn--",
		"invite", "channels", "in", "company", "channel", "c", "user", "s", "joinchat", "home", "explore", "login",
		"12345678901234567", "UCLA_DiR1FfKNvjuUpBHmylQ", "ACoAABcDeF", "+AbCdEfGhIjK", ".git", "owner", "Repo", "a_b", "bob",
		"0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "BC1SW50QGDZ25J", "bc1",
		"So11111111111111111111111111111111111111112", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
		"%2e", "%2F", "%40", "%C3%BC", "%c3%9c", "%", "%00", "%ff", "%25", "^", "|", "'", "\"", "<", "`", "{",
		"\u00fc", "U\u0308", "\u0130", "\u212a", "\u732b", "\u00b7", "\u3002", "\uff0e", "\u00ad", "\u200b", "\u200c", "\u0301", "\u05d0", "\u0661",
		"\uff58", "\U0001f4a9", "\ufffd", "\u00df", "\u1e9e", "\u03a3", "\u0345", "\u202e", " ", "\x00",
	}
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 10).Draw(t, "pieces"), "")
	})
}

// names draws a link to a platform with a name in any script.
func names() *rapid.Generator[string] {
	starts := []string{
		"youtube.com/@", "youtube.com/c/", "youtube.com/user/", "linkedin.com/in/", "linkedin.com/company/", "linkedin.com/in/ACoAA",
	}
	letter := rapid.RuneFrom(nil, unicode.L, unicode.M, unicode.N)
	return rapid.Custom(func(t *rapid.T) string {
		return rapid.SampledFrom(starts).Draw(t, "start") + rapid.StringOfN(letter, 1, 12, -1).Draw(t, "name")
	})
}

// mutants draws a content of the golden table with a few changes.
func mutants(tb testing.TB) *rapid.Generator[string] {
	tb.Helper()
	var contents []string
	for _, rows := range goldenRows(tb) {
		for _, row := range rows {
			contents = append(contents, row.Content)
		}
	}
	slices.Sort(contents)
	piece := rapid.OneOf(pieces(), rapid.StringN(1, 1, -1), rapid.Just(""))
	return rapid.Custom(func(t *rapid.T) string {
		content := []rune(rapid.SampledFrom(contents).Draw(t, "content"))
		for range rapid.IntRange(0, 2).Draw(t, "mutations") {
			at := rapid.IntRange(0, len(content)).Draw(t, "at")
			cut := rapid.IntRange(0, min(2, len(content)-at)).Draw(t, "cut")
			content = slices.Replace(content, at, at+cut, []rune(piece.Draw(t, "piece"))...)
		}
		return string(content)
	})
}

// contents is a named generator of contents.
type contents struct {
	name string
	draw *rapid.Generator[string]
}

// allContents returns generators of every kind of content.
func allContents(tb testing.TB) []contents {
	tb.Helper()
	return []contents{
		{"valid", rapid.Map(classifytest.Content(), func(c classifytest.Case) string { return c.Content })},
		{"damaged", rapid.Map(classifytest.Damaged(), func(d classifytest.Damage) string { return d.Content })},
		{"hostile", classifytest.Hostile()},
		{"changed rows of the golden table", mutants(tb)},
		{"sequences of pieces", pieces()},
		{"names in any script", names()},
		{"any text", rapid.String()},
	}
}

func TestLaws(t *testing.T) {
	t.Parallel()
	for _, of := range allContents(t) {
		t.Run(of.name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				requireLaws(t, of.draw.Draw(t, "content"))
			})
		})
	}
}

func TestLaws_golden(t *testing.T) {
	t.Parallel()
	seen := map[asset.Type]bool{}
	for _, rows := range goldenRows(t) {
		for _, row := range rows {
			if got, ok := requireLaws(t, row.Content); ok {
				seen[got.Type] = true
			}
		}
	}
	require.Len(t, seen, len(recognized), "the golden table has every type")
}

// TestLaws_variants classifies variants of the golden table.
func TestLaws_variants(t *testing.T) {
	t.Parallel()
	var results []classify.Result
	for _, rows := range goldenRows(t) {
		for _, row := range rows {
			if row.Reason == "" {
				results = append(results, row.result())
			}
		}
	}
	slices.SortFunc(results, func(a, b classify.Result) int { return strings.Compare(a.Canonical, b.Canonical) })
	rapid.Check(t, func(t *rapid.T) {
		of := rapid.SampledFrom(results).Draw(t, "asset")
		requireSame(t, of, classifytest.Variant(of).Draw(t, "variant").Content, "a variant")
	})
}

func FuzzClassify(f *testing.F) {
	for _, rows := range goldenRows(f) {
		for _, row := range rows {
			f.Add(row.Content)
		}
	}
	f.Fuzz(func(t *testing.T, content string) {
		requireLaws(t, content)
	})
}

// FuzzVariant lets the fuzzer choose the values of the generators.
func FuzzVariant(f *testing.F) {
	for seed := range byte(32) {
		choices := make([]byte, 4096)
		_, err := rand.NewChaCha8([32]byte{seed}).Read(choices)
		require.NoError(f, err)
		f.Add(choices)
	}
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
		of := classifytest.Content().Draw(t, "content")
		requireSame(t, of.Result, of.Content, "a valid content")
		requireSame(t, of.Result, classifytest.Variant(of.Result).Draw(t, "variant").Content, "a variant")
	}))
}
