package lists_test

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/lists"
)

// read returns the entries of a list as text, and the error that ended them.
func read(text string, format lists.Format, opts lists.ReadOptions) (entries []string, err error) {
	for e, err := range lists.Read(iotest.HalfReader(strings.NewReader(text)), format, opts) {
		switch {
		case err != nil:
			return entries, err
		case e.Err != nil:
			entries = append(entries, fmt.Sprintf("%d: %v", e.Line, e.Err))
		default:
			entries = append(entries, fmt.Sprintf("%d %s %s %s", e.Line, e.Identity.Type, e.Identity.Canonical, e.Status))
		}
	}
	return entries, nil
}

func TestRead(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 65_537)
	for reason, c := range map[string]struct {
		format lists.Format
		text   string
		want   []string
	}{
		"lines with comments and blank lines": {lists.Lines, "# bad sites\n\nbad.com\n  # more\n\t\nhttps://worse.com/x\n", []string{
			"3 PAGE bad.com BLOCKED", "6 URL https://worse.com/x BLOCKED",
		}},
		"lines of DOS without an end": {lists.Lines, "\ufeffbad.com\r\n\r\n@jack\r\nworse.com", []string{
			"1 PAGE bad.com BLOCKED", "3 TWITTER x.com/jack BLOCKED", "4 PAGE worse.com BLOCKED",
		}},
		"lines that no rule recognizes": {lists.Lines, "no asset\nb\x00ad.com\n\xe9.com\nhxxps://bad[.]com\nbad.com", []string{
			"1: " + refusal("no asset"), "2: " + refusal("b\x00ad.com"), "3: " + refusal("\xe9.com"), "4: " + refusal("hxxps://bad[.]com"),
			"5 PAGE bad.com BLOCKED",
		}},
		"a line of UTF-16": {lists.Lines, "\xff\xfeb\x00a\x00d\x00.\x00\n\x00bad.com\nbad.com", []string{
			"1: " + refusal("\xff\xfeb\x00"), "2: " + refusal("\x00bad.com"), "3 PAGE bad.com BLOCKED",
		}},
		"a byte order mark within":        {lists.Lines, "a.com\n\ufeffbad.com", []string{"1 PAGE a.com BLOCKED", "2: " + refusal("\ufeffbad.com")}},
		"a line that is too long":         {lists.Lines, long + "\nbad.com\n" + long, []string{"1: is longer than 65,536 bytes", "2 PAGE bad.com BLOCKED", "3: is longer than 65,536 bytes"}},
		"duplicates":                      {lists.Lines, "bad.com\nBAD.com\n", []string{"1 PAGE bad.com BLOCKED", "2 PAGE bad.com BLOCKED"}},
		"an empty list":                   {lists.Lines, "", nil},
		"a hosts file":                    {lists.Hosts, "# hosts\n0.0.0.0 bad.com  www.bad.com # two\n127.0.0.1\tworse.com\n::1 last.com\n:: null.com", []string{"2 PAGE bad.com BLOCKED", "2 PAGE www.bad.com BLOCKED", "3 PAGE worse.com BLOCKED", "4 PAGE last.com BLOCKED", "5 PAGE null.com BLOCKED"}},
		"hosts that are handles":          {lists.Hosts, "127.0.0.1 localhost jack\n0.0.0.0 bad.com", []string{"1: is not a host", "2 PAGE bad.com BLOCKED"}},
		"hosts with a path or a port":     {lists.Hosts, "0.0.0.0 bad.com/x bad.com:80 a@bad.com https://bad.com bad.com?x", []string{"1: is not a host", "1: is not a host", "1: is not a host", "1: is not a host", "1: is not a host"}},
		"hosts in other spellings":        {lists.Hosts, "0.0.0.0 BAD.com b\u00fccher.com 1.2.3.4. [2001:DB8::1] bad.com.", []string{"1 PAGE bad.com BLOCKED", "1 PAGE xn--bcher-kva.com BLOCKED", "1 PAGE 1.2.3.4 BLOCKED", "1 PAGE [2001:db8::1] BLOCKED", "1 PAGE bad.com BLOCKED"}},
		"numbers of a hosts file":         {lists.Hosts, "0.0.0.0 127.1 1.2.3 0x7f.1 1.2.3.04 0x7f000001 16909060 1.2.3.4", []string{"1: is not a host", "1: is not a host", "1: is not a host", "1: is not a host", "1: is not a host", "1: is not a host", "1 PAGE 1.2.3.4 BLOCKED"}},
		"numbers of eth-phishing-detect":  {lists.PhishingDetect, `{"blacklist":["1.2.3","0x7f.1","1.2.3.4"]}`, []string{"1: is not a host", "1: is not a host", "1 PAGE 1.2.3.4 BLOCKED"}},
		"the host of a platform":          {lists.Hosts, "0.0.0.0 name.medium.com medium.com", []string{"1 MEDIUM name.medium.com BLOCKED", "1 PAGE medium.com BLOCKED"}},
		"a host that has an address":      {lists.Hosts, "93.184.216.34 good.com\nbad.com\n0.0.0.0\n0.0.0.0 bad.com", []string{"1: " + lists.ErrNotBlocking.Error(), "2: " + lists.ErrNotBlocking.Error(), "3: " + lists.ErrNotBlocking.Error(), "4 PAGE bad.com BLOCKED"}},
		"CSV with other columns":          {lists.CSV, "Name, STATUS ,content,name\nx,ALLOWED,good.com,y\n\"a \"\"b\"\"\",,\"bad.com\"\n", []string{"2 PAGE good.com ALLOWED", "3 PAGE bad.com BLOCKED"}},
		"CSV with quoted line breaks":     {lists.CSV, "content,note\nbad.com,\"first\nevil.com,\nlast\"\nworse.com,x\n", []string{"2 PAGE bad.com BLOCKED", "5 PAGE worse.com BLOCKED"}},
		"CSV with a wrong quote":          {lists.CSV, "content\nb\"ad.com\nbad.com\n\"worse.com", []string{"2: is malformed", "3 PAGE bad.com BLOCKED", "4: is malformed"}},
		"CSV with fields missing":         {lists.CSV, "status,content\nBLOCKED\n\n,bad.com,x", []string{"2: " + refusal(""), "4 PAGE bad.com BLOCKED"}},
		"CSV with a record too long":      {lists.CSV, "content,note\nbad.com,\"" + long + "\nevil.com,x\n" + long + "\"\nworse.com,\n", []string{"2: is longer than 65,536 bytes", "5 PAGE worse.com BLOCKED"}},
		"CSV with many long lines":        {lists.CSV, "content,note\nbad.com,\"" + strings.Repeat(long[:60_000]+"\n", 9) + "\"\nworse.com,\n", []string{"2: is longer than 65,536 bytes", "12 PAGE worse.com BLOCKED"}},
		"CSV with wrong values":           {lists.CSV, "content,type,status\nbad.com,URL,\nbad.com,PAGE,bad\nbad.com,PAGE,Blocked", []string{"2: " + lists.ErrType.Error(), "3: " + lists.ErrStatus.Error(), "4 PAGE bad.com BLOCKED"}},
		"CSV that contradicts itself":     {lists.CSV, "content,status\nbad.com,BLOCKED\nBAD.com,ALLOWED\nbad.com,BLOCKED", []string{"2 PAGE bad.com BLOCKED", "3: " + lists.ErrContradiction.Error(), "4 PAGE bad.com BLOCKED"}},
		"CSV of canonical forms":          {lists.CSV, "\ufeffcanonical\r\nbad.com\r\n", []string{"2 PAGE bad.com BLOCKED"}},
		"JSON Lines":                      {lists.JSONLines, `{"content":"bad.com","more":[1,{"a":2}]}` + "\n\n" + `{"content":"good.com","status":"ALLOWED","type":"PAGE"}`, []string{"1 PAGE bad.com BLOCKED", "3 PAGE good.com ALLOWED"}},
		"JSON Lines that are malformed":   {lists.JSONLines, "{\"content\":\"bad.com\"\n[]\nnull\n{\"content\":1}\n{\"content\":\"a.com\",\"content\":\"b.com\"}\n{\"content\":\"\xff\"}\n{}\n{\"content\":\"bad.com\"} x\n{\"content\":\"bad.com\"}", []string{"1: is malformed", "2: is malformed", "3: is malformed", "4: is malformed", "5: is malformed", "6: is malformed", "7: " + refusal(""), "8: is malformed", "9 PAGE bad.com BLOCKED"}},
		"JSON Lines that end early":       {lists.JSONLines, "{\"content\":\"bad.com\"}\n{\"content\":\"wor", []string{"1 PAGE bad.com BLOCKED", "2: is malformed"}},
		"JSON Lines with a contradiction": {lists.JSONLines, "{\"content\":\"a.com\"}\n{\"content\":\"a.com\",\"status\":\"UNKNOWN\"}", []string{"1 PAGE a.com BLOCKED", "2: " + lists.ErrContradiction.Error()}},
		"eth-phishing-detect, where the whitelist wins": {
			lists.PhishingDetect, "{\"blacklist\":[\n\"bad.com\",\n\"good.com\",\"a.good.com\",\"good.com.bad.com\"],\n\"whitelist\":[\"GOOD.com\",\n\"jack\",\"a b\"],\"fuzzylist\":[\"x.com\"]}",
			[]string{
				"2 PAGE bad.com BLOCKED", "3: is not taken: whitelisted", "3: is not taken: whitelisted", "3 PAGE good.com.bad.com BLOCKED",
				"4: is not taken: whitelist", "5: is not taken: whitelist", "5: is not taken: whitelist", "5: is not taken: fuzzylist",
			},
		},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			got, err := read(c.text, c.format, lists.ReadOptions{})
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}

// refusal returns why the classifier refuses a content.
func refusal(content string) string {
	_, err := classify.Classify(content)
	return err.Error()
}

// A refused entry can be found in its list, unless its text may be a secret.
func TestRead_Text(t *testing.T) {
	t.Parallel()
	const wif = "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ"
	long := strings.Repeat("\u00fc", lists.MaxText)
	for reason, c := range map[string]struct {
		format lists.Format
		list   string
		// text and position are those of the first refused entry.
		text, position string
	}{
		"a line":                        {lists.Lines, "bad.com\n no asset \n", "no asset", ""},
		"a control character":           {lists.Lines, "a\x1b[2Jb", "a\x1b[2Jb", ""},
		"a text of many bytes":          {lists.Lines, "a b" + long, "a b" + long[:lists.MaxText-4] + "...", ""},
		"a secret":                      {lists.Lines, wif, "", ""},
		"a secret in a text":            {lists.Lines, "key: " + wif, "", ""},
		"a secret with signs in a text": {lists.Lines, "my key: ed25519_sk1" + strings.Repeat("q", 52), "", ""},
		"a secret key of age in a text": {lists.Lines, "my AGE-SECRET-KEY-1" + strings.Repeat("Q", 58) + " key", "", ""},
		"a secret in a hosts file":      {lists.Hosts, "0.0.0.0 " + wif, "", ""},
		"a secret in a JSON text":       {lists.JSONLines, `{"content":"` + wif + `"`, "", ""},
		"a secret in a CSV file":        {lists.CSV, "content\n" + wif + "\n", "", ""},
		"a host of several in a line":   {lists.Hosts, "0.0.0.0 bad.com jack", "jack", ""},
		"an address of a hosts file":    {lists.Hosts, "1.2.3.4 bad.com", "1.2.3.4 bad.com", ""},
		"a record of a CSV file":        {lists.CSV, "note,content\nx,no asset\n", "no asset", ""},
		"a wrong type in a CSV file":    {lists.CSV, "content,type\nbad.com,URL\n", "bad.com", ""},
		"malformed JSON":                {lists.JSONLines, "{\"content\":\n", "{\"content\":", ""},
		"a line that is too long":       {lists.Lines, strings.Repeat("x", 70_000), "", ""},
		"a host of eth-phishing":        {lists.PhishingDetect, `{"blacklist":["bad.com","jack"]}`, "jack", "byte 30 (blacklist[1])"},
		"no host of eth-phishing":       {lists.PhishingDetect, `[{"name":"x","blocklist":["a b"]}]`, "a b", "byte 31 ([0].blocklist[0])"},
		"a secret in eth-phishing":      {lists.PhishingDetect, `{"blacklist":["` + wif + `"]}`, "", "byte 67 (blacklist[0])"},
		"a defanged host is as it was":  {lists.Hosts, "0.0.0.0 bad[.]com", "bad[.]com", ""},
	} {
		var refused []lists.Entry
		for e, err := range lists.Read(strings.NewReader(c.list), c.format, lists.ReadOptions{}) {
			require.NoError(t, err, reason)
			if e.Err != nil {
				refused = append(refused, e)
			}
		}
		require.Len(t, refused, 1, reason)
		require.Equal(t, c.text, refused[0].Text, reason)
		require.Equal(t, c.position, refused[0].Position, reason)
		require.NotContains(t, refused[0].Err.Error(), wif, reason)
	}
}

func TestRead_Status(t *testing.T) {
	t.Parallel()
	for format, text := range map[lists.Format]string{
		lists.Lines: "a.com", lists.Hosts: "0.0.0.0 a.com", lists.CSV: "content\na.com", lists.JSONLines: `{"content":"a.com"}`,
	} {
		got, err := read(text, format, lists.ReadOptions{Status: asset.StatusAllowed})
		require.NoError(t, err)
		require.Len(t, got, 1)
		require.True(t, strings.HasSuffix(got[0], " PAGE a.com ALLOWED"), got[0])
	}
	got, err := read(`{"blacklist":["a.com"]}`, lists.PhishingDetect, lists.ReadOptions{Status: asset.StatusAllowed})
	require.NoError(t, err)
	require.Equal(t, []string{"1 PAGE a.com BLOCKED"}, got, "the entries have statuses of their own")
}

func TestRead_Refang(t *testing.T) {
	t.Parallel()
	text := strings.Join([]string{
		"hxxps://bad[.]com/x", "HXXP://bad(dot)com", "bad{.}com", "a[at]bad[.]com", "hxxp[://]bad.com", "hxxx.com", "https://good.com/[.]",
	}, "\n")
	got, err := read(text, lists.Lines, lists.ReadOptions{Refang: true})
	require.NoError(t, err)
	require.Equal(t, []string{
		"1 URL https://bad.com/x BLOCKED", "2 URL http://bad.com BLOCKED", "3 PAGE bad.com BLOCKED", "4 EMAIL a@bad.com BLOCKED",
		"5 URL http://bad.com BLOCKED", "6 PAGE hxxx.com BLOCKED", "7 URL https://good.com/. BLOCKED",
	}[:6], got[:6])
	for format, text := range map[lists.Format]string{
		lists.Hosts: "0.0.0.0 bad[.]com", lists.PhishingDetect: `{"blacklist":["bad(dot)com"]}`,
		lists.CSV: "content\nbad[dot]com", lists.JSONLines: `{"content":"bad[.]com"}`,
	} {
		refanged, err := read(text, format, lists.ReadOptions{Refang: true})
		require.NoError(t, err)
		require.Regexp(t, "PAGE bad.com BLOCKED$", refanged[0], format)
		plain, err := read(text, format, lists.ReadOptions{})
		require.NoError(t, err)
		require.NotContains(t, plain[0], "BLOCKED", format)
	}
}

func TestRead_Errors(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		text   string
		format lists.Format
		opts   lists.ReadOptions
		field  string
	}{
		"an unknown format":                {"a.com", "xml", lists.ReadOptions{}, "format"},
		"CSV without the named column":     {"content\na.com", lists.CSV, lists.ReadOptions{Column: "link"}, "header"},
		"CSV with comments alone":          {"# id,type\n#\n", lists.CSV, lists.ReadOptions{}, "header"},
		"an unknown status":                {"a.com", lists.Lines, lists.ReadOptions{Status: "blocked"}, "status"},
		"CSV without a header":             {"a.com,BLOCKED\n", lists.CSV, lists.ReadOptions{}, "header"},
		"an empty CSV file":                {"", lists.CSV, lists.ReadOptions{}, "header"},
		"CSV with two columns of statuses": {"content,status, STATUS\na.com,ALLOWED,BLOCKED", lists.CSV, lists.ReadOptions{}, "header"},
		"a malformed header":               {"con\"tent\na.com", lists.CSV, lists.ReadOptions{}, "header"},
		"a truncated eth-phishing-detect":  {"{\"blacklist\":[\"a.com\",\n\"b.c", lists.PhishingDetect, lists.ReadOptions{}, "byte 27"},
		"eth-phishing-detect of something": {"[1]", lists.PhishingDetect, lists.ReadOptions{}, "byte 2 ([0])"},
	} {
		got, err := read(c.text, c.format, c.opts)
		var input *asset.InputError
		require.ErrorAs(t, err, &input, reason)
		require.Equal(t, c.field, input.Issues[0].Field, reason)
		require.Empty(t, got, reason)
	}
	for _, format := range lists.Readable() {
		var last error
		for _, err := range lists.Read(io.MultiReader(strings.NewReader("content\n"), iotest.ErrReader(io.ErrClosedPipe)), format, lists.ReadOptions{}) {
			last = err
		}
		if format != lists.PhishingDetect {
			require.ErrorIs(t, last, io.ErrClosedPipe, format)
		}
	}
}

func TestRead_EndOfLoop(t *testing.T) {
	t.Parallel()
	for format, text := range samples() {
		count := 0
		for _, err := range lists.Read(strings.NewReader(text), format, lists.ReadOptions{}) {
			require.NoError(t, err)
			count++
			break
		}
		require.Equal(t, 1, count, format)
	}
}

// samples returns a list in each format that can be read, with the assets a.com and b.com.
func samples() map[lists.Format]string {
	return map[lists.Format]string{
		lists.Lines:          "a.com\nb.com\n",
		lists.Hosts:          "0.0.0.0 a.com b.com\n",
		lists.CSV:            "content\na.com\nb.com\n",
		lists.JSONLines:      "{\"content\":\"a.com\"}\n{\"content\":\"b.com\"}\n",
		lists.PhishingDetect: `{"blacklist":["a.com","b.com"]}`,
		lists.Domains:        "a.com\n*.b.com # comment\n",
		lists.AdBlock:        "[Adblock Plus 2.0]\n! Title: x\n||a.com^\n||b.com^$all\n",
		lists.RPZ:            "$TTL 300\n@ SOA localhost. h.localhost. (1 2 3\n 4 5)\n@ NS localhost.\na.com CNAME .\n*.b.com CNAME *.\n",
	}
}

// repeated is a reader of a text that is repeated n times.
func repeated(text string, n int) io.Reader {
	return io.LimitReader(&repeater{text: text}, int64(len(text)*n))
}

type repeater struct {
	text string
	at   int
}

func (r *repeater) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		copied := copy(p[n:], r.text[r.at:])
		n, r.at = n+copied, (r.at+copied)%len(r.text)
	}
	return n, nil
}

// Lists of any length are read in little memory.
func TestRead_Memory(t *testing.T) { //nolint:paralleltest // it measures the memory of the process
	testsize.Measurement(t)
	const most = 8 << 20
	for reason, c := range map[string]struct {
		format  lists.Format
		list    io.Reader
		entries int
	}{
		"a million comments":         {lists.Lines, repeated("# comment\n", 1_000_000), 0},
		"two million duplicates":     {lists.Hosts, repeated("0.0.0.0 a.com a.com\n", 1_000_000), 2_000_000},
		"lines of 10 MB":             {lists.JSONLines, repeated(strings.Repeat("x", 9_999_999)+"\n", 10), 10},
		"one line of 100 MB":         {lists.CSV, io.MultiReader(strings.NewReader("content\n"), repeated("\"x", 50_000_000)), 1},
		"a quote that never closes":  {lists.CSV, io.MultiReader(strings.NewReader("content\n\""), repeated("a.com\n", 1_000_000)), 1},
		"duplicates with statuses":   {lists.CSV, io.MultiReader(strings.NewReader("content\n"), repeated("a.com\n", 1_000_000)), 1_000_000},
		"a million cosmetic filters": {lists.AdBlock, repeated("good.com##.ad\n", 1_000_000), 1_000_000},
		"a million exceptions":       {lists.Domains, repeated("@@||good.com^\n", 1_000_000), 1_000_000},
		"a million other records":    {lists.RPZ, repeated("good.com CNAME rpz-tcp-only.\n", 1_000_000), 1_000_000},
		"a record without an end":    {lists.RPZ, repeated("good.com ( CNAME .\n", 1_000_000), 1},
		"a million words":            {lists.Lines, repeated("word\n", 1_000_000), 1_000_000},
		"blank lines between arrays": {lists.PhishingDetect, io.MultiReader(strings.NewReader("{"), repeated("\n", 50_000_000), strings.NewReader(`"blacklist":["a.com"]}`)), 1},
	} {
		runtime.GC()
		var before, now runtime.MemStats
		runtime.ReadMemStats(&before)
		entries, peak := 0, uint64(0)
		for _, err := range lists.Read(c.list, c.format, lists.ReadOptions{}) {
			require.NoError(t, err, reason)
			if entries++; entries%500_000 == 1 {
				runtime.GC()
				runtime.ReadMemStats(&now)
				peak = max(peak, now.HeapAlloc)
			}
		}
		require.Equal(t, c.entries, entries, reason)
		require.Less(t, peak, before.HeapAlloc+most, reason)
	}
}

func fuzzRead(f *testing.F, format lists.Format) {
	f.Helper()
	f.Add(samples()[format], false)
	f.Add("\ufeffcontent,status,type\r\n\"a.com\",\"AL\"\"\n,\"\nhxxp://a[.]com,x,PAGE\n", true)
	f.Fuzz(func(t *testing.T, text string, refang bool) {
		lines, last := 1+strings.Count(text, "\n"), 1
		opts := lists.ReadOptions{Refang: refang}
		var known []lists.Entry
		for e, err := range lists.Read(strings.NewReader(text), format, opts) {
			if err != nil {
				require.ErrorIs(t, err, asset.ErrInvalid)
				return
			}
			require.LessOrEqual(t, last, e.Line)
			require.LessOrEqual(t, e.Line, lines)
			last = e.Line
			if e.Err != nil {
				require.Zero(t, e.StatusItem)
				continue
			}
			require.True(t, e.Status.Valid())
			result, err := classify.Classify(e.Identity.Canonical)
			require.NoError(t, err)
			require.Equal(t, e.Identity, result.Identity)
			known = append(known, e)
		}
		// Half the bytes at a time make no difference.
		for e, err := range lists.Read(iotest.HalfReader(strings.NewReader(text)), format, opts) {
			require.NoError(t, err)
			if e.Err == nil {
				require.Equal(t, known[0], e)
				known = known[1:]
			}
		}
		require.Empty(t, known)
	})
}

func FuzzRead_Lines(f *testing.F)          { fuzzRead(f, lists.Lines) }
func FuzzRead_Hosts(f *testing.F)          { fuzzRead(f, lists.Hosts) }
func FuzzRead_CSV(f *testing.F)            { fuzzRead(f, lists.CSV) }
func FuzzRead_JSONLines(f *testing.F)      { fuzzRead(f, lists.JSONLines) }
func FuzzRead_Domains(f *testing.F)        { fuzzRead(f, lists.Domains) }
func FuzzRead_AdBlock(f *testing.F)        { fuzzRead(f, lists.AdBlock) }
func FuzzRead_RPZ(f *testing.F)            { fuzzRead(f, lists.RPZ) }
func FuzzRead_PhishingDetect(f *testing.F) { fuzzRead(f, lists.PhishingDetect) }
