package classify_test

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/apguard/apguard/classify"
)

// Comparing benchmarks alternate between rounds of each function. They report the ratio
// of the medians, so that other load on the machine affects both.
const (
	minRounds = 5
	// roundTime is the approximate duration of a round.
	roundTime = 2 * time.Millisecond
)

// stopwatch measures one of the compared functions.
type stopwatch struct {
	work   func()
	turns  int // calls in a round
	rounds []time.Duration
}

// newStopwatch determines the number of calls in a round.
func newStopwatch(work func()) *stopwatch {
	s := &stopwatch{work: work, turns: 1}
	for s.round() < roundTime && s.turns < 1<<20 {
		s.turns *= 2
	}
	return s
}

func (s *stopwatch) round() time.Duration {
	start := time.Now()
	for range s.turns {
		s.work()
	}
	return time.Since(start)
}

// nanoseconds returns the duration of a call, by the median of the rounds.
func (s *stopwatch) nanoseconds() float64 {
	slices.Sort(s.rounds)
	return float64(s.rounds[len(s.rounds)/2]) / float64(s.turns)
}

// measure returns the duration of each function in nanoseconds.
func measure(b *testing.B, works ...func()) []float64 {
	b.Helper()
	watches := make([]*stopwatch, len(works))
	for i, work := range works {
		watches[i] = newStopwatch(work)
	}
	turn := func() {
		for _, watch := range watches {
			watch.rounds = append(watch.rounds, watch.round())
		}
	}
	for range minRounds {
		turn()
	}
	for b.Loop() {
		turn()
	}
	b.ReportMetric(0, "ns/op") // of a whole round, which is meaningless
	took := make([]float64, len(works))
	for i, watch := range watches {
		took[i] = watch.nanoseconds()
	}
	return took
}

// classifying returns a function that classifies the contents.
func classifying(contents ...string) func() {
	return func() {
		for _, content := range contents {
			_, _ = classify.Classify(content)
		}
	}
}

// parsing returns a function that parses the contents with net/url, for comparison.
func parsing(contents ...string) func() {
	return func() {
		for _, content := range contents {
			_, _ = url.Parse(content)
		}
	}
}

// compareWithParse reports the time to classify the contents, and its ratio to the time
// to parse them.
func compareWithParse(b *testing.B, contents []string) {
	b.Helper()
	took := measure(b, classifying(contents...), parsing(contents...))
	b.ReportMetric(took[0]/float64(len(contents)), "ns/content")
	b.ReportMetric(took[0]/took[1], "x-net/url")
	b.ReportMetric(testing.AllocsPerRun(100, classifying(contents...))/float64(len(contents)), "allocs/content")
}

// BenchmarkTypes classifies the golden table by type and, for addresses, by network.
func BenchmarkTypes(b *testing.B) {
	contents := map[string][]string{}
	for _, rows := range goldenRows(b) {
		for _, row := range rows {
			if row.Reason == "" {
				kind := strings.TrimSuffix(string(row.Type)+"/"+string(row.Network), "/")
				contents[kind] = append(contents[kind], row.Content)
			}
		}
	}
	kinds := make([]string, 0, len(contents))
	for kind := range contents {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	for _, kind := range kinds {
		b.Run(kind, func(b *testing.B) { compareWithParse(b, contents[kind]) })
	}
}

// plainURLs are typical URLs in ASCII.
var plainURLs = []string{
	"https://metamask-airdrop.example.com/claim",
	"https://www.example.org/",
	"http://login.example.net/account/verify?session=8f14e45fceea167a5a36dedd4bea2543&next=%2Fhome",
	"https://docs.example.com/en/latest/guide/installation.html#requirements",
	"https://example.com",
	"https://app.example.finance/#/swap?inputCurrency=ETH",
	"https://cdn.example.io/assets/js/main.4f3c2a1b.js",
	"https://EXAMPLE.com/Login",
	"https://support.example.co.uk/tickets/12345/comments?page=2",
	"https://example.shop/products/blue-shoes-42?utm_source=mail&utm_campaign=spring",
	"http://example.com:8080/admin/",
	"https://news.example.com/2025/11/21/a-rather-long-headline-about-something-that-happened-today",
	"https://example.app/invite/AbCdEf123",
	"https://wallet-connect.example.dev/bridge?network=mainnet&chain=1",
	"https://a.b.c.example.com/x/y/z",
	"https://example.xyz/.well-known/security.txt",
	"https://example-mint.vercel.app/",
	"https://storage.example.com/bucket/file%20name.pdf",
	"https://example.com/wp-content/uploads/2024/05/index.php?id=7",
	"https://sites.example.com/view/secure-login-portal/home",
	"https://example.click/r/?u=https://example.com/",
	"https://pay.example.com/i/9",
}

// mix is a typical mix of contents: 60 % URL, 15 % ADDRESS, 10 % PAGE, 10 % platform
// identifiers and handles, and 5 % EMAIL.
var mix = slices.Concat(plainURLs, []string{
	"https://b\u00fccher.example/liste",
	"http://203.0.113.7/bank/login.php",

	"0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045",
	"0xdac17f958d2ee523a2206206994597c13d831ec7",
	"0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
	"bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
	"TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
	"So11111111111111111111111111111111111111112",

	"example.com",
	"claim-rewards.example.io",
	"www.example.co.uk/login?next=/",
	"example.net:8080/",

	"https://twitter.com/example",
	"github.com/example/repository",
	"t.me/example",
	"@example_handle",

	"someone@example.com",
	"First.Last+tag@mail.example.org",
})

func BenchmarkMix(b *testing.B) { compareWithParse(b, mix) }

func BenchmarkPlainURL(b *testing.B) { compareWithParse(b, plainURLs) }

// BenchmarkRefusals compares a refused content, for every reason, with an accepted one
// of the same length.
func BenchmarkRefusals(b *testing.B) {
	tests := []struct {
		reason            classify.Reason
		name              string
		refused, accepted string
	}{
		{classify.ReasonEncoding, "", "https://example.com/\xff", "https://example.com/a"},
		{classify.ReasonForbiddenCharacter, "space", "https://example.com/a b", "https://example.com/a-b"},
		{classify.ReasonForbiddenCharacter, "mark", "https://example.com/\u202e", "https://example.com/\u00fca"},
		{classify.ReasonTelephone, "", "+15550100", "a15550100"},
		{classify.ReasonDefanged, "URL", "https://example[.]com/a", "https://example.com/aaa"},
		{classify.ReasonDefanged, "page", "example[.]com/a", "example.com/aaa"},
		{classify.ReasonReservedDomain, "", "localhost", "localhosts"},
		{classify.ReasonUnknownScheme, "", "telnet://example.com/a", "https://example.com/aa"},
		{classify.ReasonMissingSlashes, "", "https:example.com/aaa", "https://example.com/a"},
		{classify.ReasonInvalidHost, "URL", "https://exam|le.com/a", "https://example.com/a"},
		{classify.ReasonInvalidHost, "percent", "https://exam%2fle.com/", "https://exam%70le.com/"},
		{classify.ReasonInvalidHost, "number", "https://256.1.1.1/a", "https://255.1.1.1/a"},
		{classify.ReasonInvalidHost, "brackets", "https://[1::2::3]/a", "https://[1::2:0:3]/"},
		{classify.ReasonInvalidHost, "punycode", "https://xn--a.example/", "https://xn--zca.example"},
		{classify.ReasonInvalidHost, "direction", "https://\u05d0a.example/", "https://\u05d0\u05d1.example"},
		{classify.ReasonInvalidHost, "page", "exam|le.com/aaaaaa", "example.com/aaaaaa"},
		{classify.ReasonInvalidPort, "URL", "https://example.com:99999/a", "https://example.com:9999/aa"},
		{classify.ReasonInvalidPort, "page", "example.com:99999/aa", "example.com:9999/aaa"},
		{classify.ReasonSecret, "hex", strings.Repeat("ab", 32), "https://example.com/" + strings.Repeat("ab", 22)},
		{classify.ReasonSecret, "WIF", "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ", "someone.with.a.long.name@mail.server.of.example.com"},
		{classify.ReasonHexLength, "", "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA960456", "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"},
		{classify.ReasonChecksum, "base58", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"},
		{classify.ReasonChecksum, "bech32", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"},
		{classify.ReasonInvalidAddress, "", "bc1Qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"},
		{classify.ReasonUserInfo, "", "me@example.com/aaa", "example.com/aaaaaa"},
		{classify.ReasonUnknownSuffix, "page", "www.example.invalid", "www.example.com/aaa"},
		{classify.ReasonUnknownSuffix, "script", "\u732b\u732b\u732b\u732b.example", "\u732b\u732b\u732b\u732b.org.com"},
		{classify.ReasonUnknownSuffix, "email", "someone@example.invalid", "someone@www.example.com"},
		{classify.ReasonBareSuffix, "", "co.uk/aaaaa", "example.com"},
		{classify.ReasonInvalidHandle, "", "@" + strings.Repeat("a", 31), "@" + strings.Repeat("a", 30)},
		{classify.ReasonReservedWord, "", "@settings", "@settingz"},
		{classify.ReasonUnrecognized, "slash", "/what-is-this", "example.com/a"},
		{classify.ReasonUnrecognized, "digits", "12345678901", "a2345678901"},
	}
	for _, test := range tests {
		b.Run(strings.TrimSuffix(string(test.reason)+"/"+test.name, "/"), func(b *testing.B) {
			if _, err := classify.Classify(test.accepted); err != nil {
				b.Fatalf("%q: %v", test.accepted, err)
			}
			_, err := classify.Classify(test.refused)
			requireRefused(b, test.reason, err)
			took := measure(b, classifying(test.refused), classifying(test.accepted))
			b.ReportMetric(took[0], "ns/refused")
			b.ReportMetric(took[0]/took[1], "x-accepted")
		})
	}
}

// BenchmarkLongRefusals compares refused contents of every form without a fixed length
// with an accepted plain URL of the same length. x-url-of-512 is the ratio at 512 bytes.
func BenchmarkLongRefusals(b *testing.B) {
	frames := []struct {
		reason              classify.Reason
		name                string
		before, fill, after string
	}{
		{classify.ReasonEncoding, "", "https://example.com/", "a", "\xff"},
		{classify.ReasonForbiddenCharacter, "space", "https://example.com/", "a", " b"},
		{classify.ReasonForbiddenCharacter, "mark", "https://example.com/", "a", "\u202e"},
		{classify.ReasonDefanged, "brackets", "a", "(", "(.)a"},
		{classify.ReasonUnknownScheme, "slashes", "telnet://", "a", ""},
		{classify.ReasonUnknownScheme, "colon", "data:", "a", ""},
		{classify.ReasonUnknownScheme, "long", "", "a", "://a"},
		{classify.ReasonMissingSlashes, "", "https:", "a", ""},
		{classify.ReasonInvalidHost, "sign", "https://", "a", "|"},
		{classify.ReasonInvalidHost, "percents", "https://", "%", ""},
		{classify.ReasonInvalidHost, "encoded", "https://", "%20", "%20"},
		{classify.ReasonInvalidHost, "numbers", "https://", "1.", "1"},
		{classify.ReasonInvalidHost, "pieces", "https://[", "1:", "]"},
		{classify.ReasonInvalidHost, "bracket", "https://[", "a", ""},
		{classify.ReasonInvalidHost, "punycode", "https://", "xn--a.", "xn--a"},
		{classify.ReasonInvalidHost, "directions", "https://", "\u05d0a", "\u05d0a."},
		{classify.ReasonInvalidHost, "letters", "https://", "\u732b", ".xn--a"},
		{classify.ReasonInvalidHost, "page", "exam|le.com/", "a", ""},
		{classify.ReasonInvalidHost, "email", "a@", "a", "_.com"},
		{classify.ReasonInvalidPort, "URL", "https://example.com:", "1", ""},
		{classify.ReasonInvalidPort, "page", "example.com:", "1", ""},
		{classify.ReasonHexLength, "", "0x", "a", ""},
		{classify.ReasonUserInfo, "", "", ".", "@example.com"},
		{classify.ReasonUnknownSuffix, "", "example.invalid/", "a", ""},
		{classify.ReasonBareSuffix, "", "co.uk/", "a", ""},
		{classify.ReasonInvalidHandle, "", "@", "a", ""},
		{classify.ReasonUnrecognized, "slash", "/", "a", ""},
		{classify.ReasonUnrecognized, "letters", "", "z", ""},
	}
	const url = "https://example.com/"
	for _, frame := range frames {
		b.Run(strings.TrimSuffix(string(frame.reason)+"/"+frame.name, "/"), func(b *testing.B) {
			sizes := []int{64, 512, 8192}
			works := make([]func(), 0, 2*len(sizes))
			for _, size := range sizes {
				content := frame.before + fill(frame.fill, size-len(frame.before)-len(frame.after)) + frame.after
				_, err := classify.Classify(content)
				requireRefused(b, frame.reason, err)
				works = append(works, classifying(content), classifying(url+fill("a", size-len(url))))
			}
			took := measure(b, works...)
			for i, size := range sizes {
				b.ReportMetric(took[2*i]/took[2*i+1], "x-url-of-"+strconv.Itoa(size))
			}
		})
	}
}
