package lists_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
)

// sample is a list in the form of a public one, and what an import takes of it.
type sample struct {
	file    string
	format  lists.Format
	taken   int
	refused map[error]int
	left    map[string]int
}

// The files are made up, except the part of eth-phishing-detect, which has its license beside it.
func samplesOfFeeds() []sample {
	return []sample{
		{file: "urlhaus.csv", format: lists.CSV, taken: 3, refused: map[error]int{lists.ErrEntity: 1, errAny: 1}},
		{file: "phishtank.csv", format: lists.CSV, taken: 3, refused: map[error]int{lists.ErrEntity: 1}},
		{file: "stevenblack.hosts", format: lists.Hosts, taken: 4, refused: map[error]int{lists.ErrNotHost: 2}},
		{file: "hagezi.txt", format: lists.Domains, taken: 6},
		{file: "warninglist.txt", format: lists.Domains, taken: 3, refused: map[error]int{lists.ErrNotHost: 2}},
		{file: "warninglist.txt", format: lists.Lines, taken: 3, refused: map[error]int{lists.ErrNotHost: 2}},
		{file: "adguard.txt", format: lists.AdBlock, taken: 7, refused: map[error]int{
			lists.ErrOption: 4, lists.ErrPattern: 4, lists.ErrException: 1, lists.ErrCosmetic: 5,
		}},
		{file: "policy.zone", format: lists.RPZ, taken: 6, refused: map[error]int{lists.ErrRecord: 3, lists.ErrTrigger: 2, lists.ErrOutOfZone: 1}, left: map[string]int{"passthru": 1}},
		{file: "eth-phishing-detect/config.json", format: lists.PhishingDetect, taken: 146, refused: map[error]int{lists.ErrNotHost: 4}, left: map[string]int{
			"fuzzylist": 15, "whitelist": 34, "whitelisted": 7,
		}},
	}
}

// errAny stands for a reason of the classifier.
var errAny = errors.New("another reason")

func TestRead_Samples(t *testing.T) {
	t.Parallel()
	for _, c := range samplesOfFeeds() {
		file, err := os.Open(filepath.Join("testdata", "imports", c.file))
		require.NoError(t, err)
		got := sample{file: c.file, format: c.format}
		for e, err := range lists.Read(file, c.format, lists.ReadOptions{}) {
			require.NoError(t, err)
			var left *lists.NotTakenError
			switch {
			case e.Err == nil:
				got.taken++
			case errors.As(e.Err, &left):
				got.left = count(got.left, left.Kind)
			case knownReasons[e.Err]:
				got.refused = count(got.refused, e.Err)
			default:
				got.refused = count(got.refused, errAny)
			}
		}
		require.NoError(t, file.Close())
		require.Equal(t, c, got)
	}
}

func count[Key comparable](counts map[Key]int, key Key) map[Key]int {
	if counts == nil {
		counts = make(map[Key]int)
	}
	counts[key]++
	return counts
}

var knownReasons = map[error]bool{
	lists.ErrEntity: true, lists.ErrNotHost: true, lists.ErrOption: true, lists.ErrPattern: true, lists.ErrException: true,
	lists.ErrCosmetic: true, lists.ErrRecord: true, lists.ErrTrigger: true, lists.ErrOutOfZone: true,
}

// A list that is read in another format sets nothing that its author did not mean. In the samples, the
// hosts that are not to be blocked have the label good, and words are no accounts.
func TestRead_OtherFormats(t *testing.T) {
	t.Parallel()
	texts := map[string]string{
		"csv":     "content,status\nevil.com,\ngood.com,ALLOWED\n1,https://good.com/a\n",
		"tsv":     "url\tstatus\nevil.com\tBLOCKED\ngood.com\tALLOWED\n",
		"jsonl":   "{\"content\":\"evil.com\"}\n{\"content\":\"good.com\",\"status\":\"ALLOWED\"}\n",
		"config":  "{\n\"version\": 2,\n\"fuzzylist\": [\"good.org\"],\n\"whitelist\": [\n\"good.com\",\n\"good.net\"\n],\n\"blacklist\": [\n\"evil.com\"\n]\n}\n",
		"hosts":   "127.0.0.1 localhost\n192.0.2.1 good.com good\n0.0.0.0 evil.com\n::1 ip6-localhost\n",
		"adblock": "[Adblock Plus 2.0]\n! good.com\n||evil.com^\n@@||good.com^\ngood.com##.ad\ngood.com#@#.ad\n||good.com^$third-party\n|https://good.com^\n/good.com/\ngood.com$popup\n",
		"zone":    "$TTL 300\n@ SOA good.com. good.com. 1 2 3 4 5\n@ NS good.com.\nevil.com CNAME .\ngood.com CNAME rpz-passthru.\ngood.org A 192.0.2.1\n; good.net\n",
		"domains": "# good.com\nevil.com # good.com\ngood\n*.evil.org\nevil.net#good.com\n",
		"words":   "good\nDomain\n",
	}
	for _, c := range samplesOfFeeds() {
		text, err := os.ReadFile(filepath.Join("testdata", "imports", c.file))
		require.NoError(t, err)
		texts[c.file] = string(text)
	}
	for name, text := range texts {
		for _, format := range lists.Readable() {
			for e, err := range lists.Read(strings.NewReader(text), format, lists.ReadOptions{}) {
				if err != nil {
					require.ErrorIs(t, err, asset.ErrInvalid)
					break
				}
				where := fmt.Sprintf("%s as %s: line %d: %s %s", name, format, e.Line, e.Identity.Type, e.Identity.Canonical)
				if e.Err == nil && e.Status == asset.StatusBlocked {
					require.NotContains(t, e.Identity.Canonical, "good", where)
					require.Contains(t, []asset.Type{asset.TypePage, asset.TypeURL}, e.Identity.Type, where)
				}
			}
		}
	}
}
