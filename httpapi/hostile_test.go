package httpapi_test

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/httpapi"
)

// exposed is the API on a listener, in a server without any limits of its own.
type exposed struct {
	service
	seen *witness
	addr string
}

func expose(t *testing.T) exposed {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	return exposeOn(t, listener, setup{})
}

func exposeOn(t *testing.T, listener net.Listener, s setup) exposed {
	t.Helper()
	e := exposed{seen: new(witness), addr: listener.Addr().String()}
	s.options.Observer = e.seen
	e.service = startWith(t, s)
	server := &http.Server{Handler: e.service}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	t.Cleanup(func() {
		require.NoError(t, server.Close())
		require.ErrorIs(t, <-served, http.ErrServerClosed)
	})
	return e
}

// dial connects to the server. The connection is closed at the end of the test, and
// nobody waits longer than a minute for a reply.
func (e exposed) dial(t *testing.T) *net.TCPConn {
	t.Helper()
	client, err := new(net.Dialer).DialContext(t.Context(), "tcp", e.addr)
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.Close() })
	require.NoError(t, client.SetDeadline(time.Now().Add(time.Minute)))
	return client.(*net.TCPConn)
}

// talk says something and returns the statuses of the replies, until the server
// ends the connection.
func (e exposed) talk(t *testing.T, said string) []int {
	t.Helper()
	client := e.dial(t)
	go func() { _, _ = io.WriteString(client, said) }() // fails when the server has had enough
	return statuses(client)
}

func statuses(client io.Reader) []int {
	var got []int
	in := bufio.NewReader(client)
	for {
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			return got
		}
		got = append(got, resp.StatusCode)
		_, err = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
		if err != nil {
			return got
		}
	}
}

// observed returns how many requests the observer has been told of.
func (e exposed) observed() int {
	e.seen.mu.Lock()
	defer e.seen.mu.Unlock()
	return len(e.seen.exchanges)
}

// requireCalm checks that so many requests have come as far as to the API, and that
// nothing went wrong in any. A client may have its reply before the observer is told.
func (e exposed) requireCalm(t *testing.T, requests int) {
	t.Helper()
	require.Eventually(t, func() bool { return e.observed() >= requests }, time.Minute, time.Millisecond)
	e.seen.mu.Lock()
	defer e.seen.mu.Unlock()
	require.Len(t, e.seen.exchanges, requests)
	for _, exchange := range e.seen.exchanges {
		require.Less(t, exchange.Status, http.StatusInternalServerError)
		require.NoError(t, exchange.Err)
	}
	require.Empty(t, e.log.String())
}

// head is the head of a request with a body, without what says how long that is.
func head(path, key string) string {
	return "POST " + path + " HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nX-API-KEY: " + key + "\r\n"
}

func TestWhatIsSaidBesideARequest(t *testing.T) {
	t.Parallel()
	const (
		add  = `{"assets":[{"content":"https://new.example.com"}]}`
		quit = "GET /quit HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n" // 404, by the mux
	)
	right := head(assetsPath, acmeKey)
	length := "Content-Length: " + strconv.Itoa(len(add)) + "\r\n"
	whole := right + length + "\r\n" + add
	chunks := fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(add), add)
	for reason, c := range map[string]struct {
		said     string
		statuses []int
		// requests come as far as to the API, and added is how many assets there are
		// in the end.
		requests, added int
	}{
		"nothing more":                         {whole + quit, []int{200, 404}, 1, 1},
		"garbage":                              {whole + "\x00\xff{}\r\n\r\n", []int{200, 400}, 1, 1},
		"garbage, and the request again":       {whole + "\x00\xff{}\r\n\r\n" + whole, []int{200, 400}, 1, 1},
		"the greeting of TLS":                  {whole + "\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", []int{200, 400}, 1, 1},
		"the request again":                    {whole + whole + quit, []int{200, 200, 404}, 2, 1},
		"a length that is too short":           {right + "Content-Length: 2\r\n\r\n" + add + "\r\n\r\n", []int{400, 400}, 1, 0},
		"a length of nothing":                  {right + "Content-Length: 0\r\n\r\n" + add + "\r\n\r\n", []int{400, 400}, 1, 0},
		"no length":                            {right + "\r\n" + add + "\r\n\r\n", []int{400, 400}, 1, 0},
		"a length that hides the next request": {right + "Content-Length: " + strconv.Itoa(len(add+quit)) + "\r\n\r\n" + add + quit + quit, []int{400, 404}, 1, 0},
		"a length that is far too long":        {right + "Content-Length: 9223372036854775807\r\n\r\n" + add, []int{413}, 1, 0},
		"a length beyond all numbers":          {right + "Content-Length: 99999999999999999999\r\n\r\n" + add, []int{400}, 0, 0},
		"a negative length":                    {right + "Content-Length: -1\r\n\r\n" + add, []int{400}, 0, 0},
		"a length with a sign":                 {right + "Content-Length: +2\r\n\r\n" + add, []int{400}, 0, 0},
		"two lengths":                          {right + length + "Content-Length: 3\r\n\r\n" + add, []int{400}, 0, 0},
		"two lengths in one line":              {right + "Content-Length: 2, 2\r\n\r\n" + add, []int{400}, 0, 0},
		"the same length twice":                {right + length + length + "\r\n" + add + quit, []int{200, 404}, 1, 1},
		"chunks":                               {right + "Transfer-Encoding: chunked\r\n\r\n" + chunks + quit, []int{200, 404}, 1, 1},
		"chunks and a length, which is void":   {right + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks + quit, []int{200, 404}, 1, 1},
		"a length and chunks":                  {right + "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n" + chunks + quit, []int{200, 404}, 1, 1},
		"a request hidden behind the chunks":   {right + "Content-Length: 999\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + whole + quit, []int{400, 200, 404}, 2, 1},
		"a length among the trailers":          {right + "Transfer-Encoding: chunked\r\n\r\n" + strings.TrimSuffix(chunks, "\r\n") + "Content-Length: 3\r\n\r\n" + quit, []int{200, 404}, 1, 1},
		"a chunk that is longer than it says":  {right + "Transfer-Encoding: chunked\r\n\r\n2\r\n" + add + "\r\n0\r\n\r\n", []int{400}, 1, 0},
		"a chunk of a negative size":           {right + "Transfer-Encoding: chunked\r\n\r\n-2\r\n" + add, []int{400}, 1, 0},
		"a chunk of a size beyond all numbers": {right + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n" + add, []int{400}, 1, 0},
		"a chunk with a long extension":        {right + "Transfer-Encoding: chunked\r\n\r\n2;" + strings.Repeat("a", 1<<20) + "\r\n{}\r\n0\r\n\r\n", []int{400}, 1, 0},
		// RFC 9112, section 6.1, has 501 for a coding that a server does not know.
		"compressed chunks":               {right + "Transfer-Encoding: gzip, chunked\r\n\r\n" + chunks, []int{501}, 0, 0},
		"chunks within chunks":            {right + "Transfer-Encoding: chunked, chunked\r\n\r\n" + chunks, []int{501}, 0, 0},
		"chunks, said twice":              {right + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks, []int{501}, 0, 0},
		"chunks, and no chunks":           {right + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n" + chunks, []int{501}, 0, 0},
		"a length, asked before":          {right + "Connection: close\r\nExpect: 100-continue\r\n" + length + "\r\n" + add, []int{100, 200}, 1, 1},
		"an expectation that nobody has":  {right + "Expect: the-unexpected\r\n" + length + "\r\n" + add, []int{417}, 0, 0},
		"no host":                         {strings.Replace(right, "Host: test\r\n", "", 1) + length + "\r\n" + add, []int{400}, 0, 0},
		"two hosts":                       {right + "Host: other\r\n" + length + "\r\n" + add, []int{400}, 0, 0},
		"a space before a colon":          {right + "X-A : a\r\n" + length + "\r\n" + add, []int{400}, 0, 0},
		"NUL in a header":                 {right + "X-A: \x00\r\n" + length + "\r\n" + add, []int{400}, 0, 0},
		"NUL in the path":                 {strings.Replace(right, " HTTP", "\x00 HTTP", 1) + length + "\r\n" + add, []int{400}, 0, 0},
		"a space in the path":             {strings.Replace(right, " HTTP", " x HTTP", 1) + length + "\r\n" + add, []int{400}, 0, 0},
		"NUL in the path, escaped":        {strings.Replace(right, " HTTP", "%00 HTTP", 1) + length + "\r\n" + add + quit, []int{404, 404}, 0, 0},
		"no UTF-8 in the path":            {strings.Replace(right, " HTTP", "\xff HTTP", 1) + length + "\r\n" + add + quit, []int{404, 404}, 0, 0},
		"a path of half a million bytes":  {strings.Replace(right, " HTTP", strings.Repeat("a", 500_000)+" HTTP", 1) + length + "\r\n" + add + quit, []int{404, 404}, 0, 0},
		"a version that is yet to come":   {strings.Replace(right, "HTTP/1.1", "HTTP/3.0", 1) + length + "\r\n" + add, []int{505}, 0, 0},
		"a request of HTTP/2":             {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", []int{400}, 0, 0},
		"a request without a version":     {"POST " + assetsPath + "\r\n\r\n", []int{400}, 0, 0},
		"a key of a hundred thousand":     {head(assetsPath, strings.Repeat("a", 100_000)) + length + "\r\n" + add + quit, []int{401, 404}, 1, 0},
		"a key, continued on a next line": {strings.Replace(right, acmeKey, "apg_\r\n acme", 1) + length + "\r\n" + add + quit, []int{401, 404}, 1, 0},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			e := expose(t)
			require.Equal(t, c.statuses, e.talk(t, c.said))
			e.requireCalm(t, c.requests)
			entries, err := e.guard.Allowlist.List(context.Background(), 1, 0, 10)
			require.NoError(t, err)
			require.Len(t, entries, c.added)
		})
	}
}

// TestARefusalComesBeforeTheBody has clients that ask before they send a body, and
// never send it.
func TestARefusalComesBeforeTheBody(t *testing.T) {
	t.Parallel()
	const asks = "Expect: 100-continue\r\n"
	e := expose(t)
	refusals := map[string]struct {
		said   string
		status int
	}{
		"a wrong key":            {head(assetsPath, unknownKey) + asks + "Content-Length: 2\r\n\r\n", 401},
		"a wrong key and chunks": {head(assetsPath, unknownKey) + asks + "Transfer-Encoding: chunked\r\n\r\n", 401},
		"a key of no power":      {head(changelogPath, powerlessKey) + asks + "Content-Length: 2\r\n\r\n", 403},
		"a wrong method":         {strings.Replace(head(assetsPath, acmeKey), "POST", "PUT", 1) + asks + "Content-Length: 2\r\n\r\n", 405},
		"a wrong type":           {strings.Replace(head(assetsPath, acmeKey), "json", "xml", 1) + asks + "Content-Length: 2\r\n\r\n", 415},
		"a large body":           {head(assetsPath, acmeKey) + asks + "Content-Length: 99999999\r\n\r\n", 413},
	}
	for reason, c := range refusals {
		client := e.dial(t)
		_, err := io.WriteString(client, c.said)
		require.NoError(t, err)
		resp, err := http.ReadResponse(bufio.NewReader(client), nil)
		require.NoError(t, err, reason)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, c.status, resp.StatusCode, reason)
		require.NoError(t, client.Close())
	}
	e.requireCalm(t, len(refusals))
}

// TestABodyThatIsCutOff has bodies that would do if they were whole.
func TestABodyThatIsCutOff(t *testing.T) {
	t.Parallel()
	e := expose(t)
	for reason, body := range map[string]string{
		"of a known length": "Content-Length: 99\r\n\r\n{}",
		"of chunks":         "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
		"within a chunk":    "Transfer-Encoding: chunked\r\n\r\n99\r\n{}",
	} {
		client := e.dial(t)
		_, err := io.WriteString(client, head(changelogPath, acmeKey)+body)
		require.NoError(t, err)
		require.NoError(t, client.CloseWrite())
		require.Equal(t, []int{400}, statuses(client), reason)
	}
	e.requireCalm(t, 3)
}

// counting is a listener that counts what is read from its connections.
type counting struct {
	net.Listener
	read chan int
}

type countingConn struct {
	net.Conn
	read  int
	total chan int
}

func (l counting) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &countingConn{Conn: conn, total: l.read}, nil
}

func (c *countingConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.read += n
	return n, err
}

func (c *countingConn) Close() error {
	select {
	case c.total <- c.read:
	default: // closed before
	}
	return c.Conn.Close()
}

func TestAnEndlessBodyIsNotReadToItsEnd(t *testing.T) {
	t.Parallel()
	const most = 1 << 20
	for reason, c := range map[string]struct {
		said, again string
		// read is the most that may be read.
		read int
	}{
		"chunks":                {"Transfer-Encoding: chunked\r\n\r\n", "8000\r\n" + strings.Repeat(" ", 0x8000) + "\r\n", 2 * most},
		"one endless chunk":     {"Transfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\n", strings.Repeat(" ", 0x8000), 2 * most},
		"tiny chunks":           {"Transfer-Encoding: chunked\r\n\r\n", strings.Repeat("1\r\n \r\n", 0x1000), 16 * most},
		"a length that is told": {"Content-Length: 9223372036854775807\r\n\r\n", strings.Repeat(" ", 0x8000), most / 2},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
			require.NoError(t, err)
			counted := counting{listener, make(chan int, 1)}
			e := exposeOn(t, counted, setup{options: httpapi.Options{MaxBody: most}})
			client := e.dial(t)
			go func() {
				_, err := io.WriteString(client, head(changelogPath, acmeKey)+c.said)
				for err == nil {
					_, err = io.WriteString(client, c.again)
				}
			}()
			got := statuses(client)
			require.Len(t, got, 1)
			require.Contains(t, []int{413, 400}, got[0]) // net/http ends tiny chunks by itself
			require.NoError(t, client.Close())
			require.Less(t, <-counted.read, c.read)
			e.requireCalm(t, 1)
		})
	}
}

func TestCompressedBodiesAreNotInflated(t *testing.T) {
	t.Parallel()
	const inflated = 8 << 20
	bomb := `{"x":"` + strings.Repeat("a", inflated) + `"}`
	var zipped, deflated bytes.Buffer
	for _, to := range []func() (io.WriteCloser, error){
		func() (io.WriteCloser, error) { return gzip.NewWriterLevel(&zipped, gzip.BestSpeed) },
		func() (io.WriteCloser, error) { return flate.NewWriter(&deflated, flate.BestSpeed) },
	} {
		w, err := to()
		require.NoError(t, err)
		_, err = io.WriteString(w, bomb)
		require.NoError(t, err)
		require.NoError(t, w.Close())
	}
	require.Less(t, zipped.Len(), inflated/100)
	for reason, c := range map[string]struct {
		encoding string
		body     []byte
		status   int
	}{
		"gzip":                     {"gzip", zipped.Bytes(), 415},
		"gzip by its old name":     {"x-gzip", zipped.Bytes(), 415},
		"gzip in capitals":         {"GZIP", zipped.Bytes(), 415},
		"deflate":                  {"deflate", deflated.Bytes(), 415},
		"br":                       {"br", deflated.Bytes(), 415},
		"zstd":                     {"zstd", deflated.Bytes(), 415},
		"gzip that is not told":    {"", zipped.Bytes(), 400},
		"gzip that is said to be":  {"identity", zipped.Bytes(), 400},
		"deflate that is not told": {"", deflated.Bytes(), 400},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			e := expose(t)
			got := e.talk(t, head(changelogPath, acmeKey)+"Connection: close\r\nContent-Encoding: "+c.encoding+
				"\r\nContent-Length: "+strconv.Itoa(len(c.body))+"\r\n\r\n"+string(c.body))
			require.Equal(t, []int{c.status}, got)
			e.requireCalm(t, 1)
			if c.status == http.StatusUnsupportedMediaType {
				require.Zero(t, e.seen.exchanges[0].Received, "it is refused before it is read")
			}
		})
	}
}

func TestNamesThatComeTwiceAtAnyDepth(t *testing.T) {
	t.Parallel()
	s := start(t)
	for depth := range 100 {
		for open, shut := range map[string]string{`{"x":`: `}`, `[`: `]`, `[{"x":`: `}]`} {
			wrap := func(inner string) string {
				return `{"y":` + strings.Repeat(open, depth) + inner + strings.Repeat(shut, depth) + `}`
			}
			require.Equal(t, http.StatusOK, s.post(changelogPath, acmeKey, wrap(`{"a":1,"b":2}`)).Status, depth)
			got := s.post(changelogPath, acmeKey, wrap(`{"a":1,"a":2}`))
			require.Equal(t, http.StatusBadRequest, got.Status, depth)
			require.Contains(t, got.Body, "must not be given twice")
			require.Less(t, len(got.Body), 1000)
		}
	}
}

// oddNumbers are numbers of JSON with what they are as an identifier.
func oddNumbers() map[string]bool {
	return map[string]bool{
		"0.1e1": true, "1.0": true, "10e-1": true, "1E0": true, "1e+0": true, "0.01E+2": true,
		"0": false, "-0": false, "-0.0": false, "0e400": false, "-0e-400": false, "-1": false,
		"1e400": false, "-1e400": false, "1e-400": false, "-1e-400": false, "1.5": false,
		"9007199254740992": false, "1e16": false, "18446744073709551617": false, "4294967297e400": false,
	}
}

func TestOddNumbersInEachFieldOfWholeOnes(t *testing.T) {
	t.Parallel()
	s := start(t)
	for number, right := range oddNumbers() {
		want := http.StatusBadRequest
		if right {
			want = http.StatusOK
		}
		inQuery := strings.ReplaceAll(number, "+", "%2B")
		for field, form := range map[string]string{"limit": "%s", "reviewedByUserId": "%s", "brandIds": "[%s]"} {
			body := `{"slug":"acme","limit":1,"` + field + `":` + fmt.Sprintf(form, number) + `}`
			if field == "limit" {
				body = `{"slug":"acme","limit":` + number + `}`
			}
			require.Equal(t, want, s.post(oldReports, acmeKey, body).Status, body)
			require.Equal(t, want, s.get(newReports+"?"+field+"="+inQuery, acmeKey).Status, "%s=%s", field, number)
		}
		got := s.post(assetsPath, acmeKey, `{"assets":[{"content":"https://new.example.com","groupId":`+number+`}]}`)
		if right {
			require.Equal(t, wrapped("NOT_FOUND", "Group with ID 1 not found"), got.Body, number)
		} else {
			require.Contains(t, got.Body, `"Invalid group ID"`, number)
		}
	}
	require.Empty(t, s.log.String())
}

func TestQueriesThatNobodyMeans(t *testing.T) {
	t.Parallel()
	e := expose(t)
	asked := 0
	for reason, c := range map[string]struct {
		query  string
		status int
		issue  string
	}{
		"a surrogate":             {"searchQuery=%ED%A0%80", 400, "searchQuery: must be valid UTF-8 without NUL"},
		"two surrogates":          {"reporterQuery=%ED%A0%BD%ED%B8%80", 400, "reporterQuery: must be valid UTF-8 without NUL"},
		"NUL":                     {"searchQuery=a%00", 400, "searchQuery: must be valid UTF-8 without NUL"},
		"no UTF-8":                {"searchQuery=%FF", 400, "searchQuery: must be valid UTF-8 without NUL"},
		"no UTF-8, as it is":      {"searchQuery=\xff", 400, "searchQuery: must be valid UTF-8 without NUL"},
		"an overlong encoding":    {"searchQuery=%C0%AF", 400, "searchQuery: must be valid UTF-8 without NUL"},
		"a status of surrogates":  {"status=%ED%A0%80", 400, "status: must be valid UTF-8 without NUL"},
		"a date of surrogates":    {"startDate=%ED%A0%80&endDate=2025-01-01", 400, "startDate: must be valid UTF-8 without NUL"},
		"a list of surrogates":    {"reviewStatuses=SKIP,%ED%A0%80", 400, "reviewStatuses[1]: must be valid UTF-8 without NUL"},
		"a number of no UTF-8":    {"limit=%FF", 400, "limit: must be a whole number from 1 to 100"},
		"a number in Arabic":      {"limit=%D9%A1", 400, "limit: must be a whole number from 1 to 100"},
		"a number with NUL":       {"limit=1%00", 400, "limit: must be a whole number from 1 to 100"},
		"a flag of no UTF-8":      {"onlyRejected=%FF", 400, "onlyRejected: must be true or false"},
		"a cursor without end":    {"cursor=1" + strings.Repeat("0", 100_000), 200, ""},
		"a name of no UTF-8":      {"%FF=1&%ED%A0%80=2", 200, ""},
		"a value of another name": {"x=%ED%A0%80", 200, ""},
		"a broken escape":         {"searchQuery=%zz", 400, "the query must be parameters in URL encoding"},
		"half an escape":          {"searchQuery=%f", 400, "the query must be parameters in URL encoding"},
		"a semicolon":             {"limit=1;cursor=1", 400, "the query must be parameters in URL encoding"},
		"a parameter twice":       {"limit=1&limit=1", 400, "limit: must be given once"},
		"300,000 parameters":      {strings.Repeat("a&", 300_000), 400, "the query must be parameters in URL encoding"},
		"300,000 separators":      {strings.Repeat("&", 300_000), 400, "the query must be parameters in URL encoding"},
		"300,000 commas":          {"brandIds=" + strings.Repeat(",", 300_000), 200, ""},
		"a list that is too long": {"brandIds=" + strings.Repeat("1,", 300_000), 400, "brandIds: must hold at most 1000 elements"},
	} {
		asked++
		client := e.dial(t)
		_, err := fmt.Fprintf(client, "GET %s?%s HTTP/1.1\r\nHost: test\r\nX-API-KEY: %s\r\nConnection: close\r\n\r\n", newReports, c.query, acmeKey)
		require.NoError(t, err, reason)
		resp, err := http.ReadResponse(bufio.NewReader(client), nil)
		require.NoError(t, err, reason)
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, c.status, resp.StatusCode, "%s: %s", reason, body)
		if c.status == http.StatusBadRequest {
			require.Equal(t, invalid(c.issue), string(body), reason)
		}
	}
	e.requireCalm(t, asked)
}

// TestHostileRequestsTakeLittleMemory is not parallel, because what others take
// meanwhile would count.
func TestHostileRequestsTakeLittleMemory(t *testing.T) { //nolint:paralleltest // see above
	const size = 1 << 20
	s := start(t)
	s.Handler = http.StripPrefix(base, s.api) // without what holds the replies against the document
	list := func(before, element, after string) string {
		return before + strings.Repeat(element, size/len(element)) + after
	}
	var names strings.Builder
	names.WriteString(`{"":0`)
	for i := 0; names.Len() < size; i++ {
		fmt.Fprintf(&names, `,"%x":0`, i)
	}
	names.WriteString(`}`)
	for reason, c := range map[string]struct {
		request *http.Request
		status  int
		// times is how many times its own size a request may take.
		times uint64
	}{
		"white space":            {newPost(changelogPath, acmeKey, strings.NewReader(list(`{`, " ", `}`))), 200, 8},
		"a million parameters":   {newGet(newReports+"?"+strings.Repeat("a=1&", 1_000_000), acmeKey), 400, 1},
		"two million separators": {newGet(newReports+"?"+strings.Repeat("&", 2_000_000), acmeKey), 400, 1},
		"a list in the query":    {newGet(newReports+"?brandIds="+strings.Repeat("1,", 1_000_000), acmeKey), 400, 1},
		"a list in a body":       {newPost(oldReports, acmeKey, strings.NewReader(list(`{"slug":"acme","limit":1,"brandIds":[`, "1,", `1]}`))), 400, 8},
		"a million assets":       {newPost(assetsPath, acmeKey, strings.NewReader(list(`{"assets":[`, "{},", `{}]}`))), 400, 8},
		"open brackets":          {newPost(changelogPath, acmeKey, strings.NewReader(list(`{"x":`, "[", ``))), 400, 8},
		"small objects":          {newPost(changelogPath, acmeKey, strings.NewReader(list(`{"x":[`, `{"a":0},`, `0]}`))), 200, 8},
		"many names":             {newPost(changelogPath, acmeKey, strings.NewReader(names.String())), 200, 32},
		"a number of digits":     {newPost(oldReports, acmeKey, strings.NewReader(list(`{"slug":"acme","limit":1`, "0", `}`))), 400, 16},
		"a text of escapes":      {newPost(disputePath, acmeKey, strings.NewReader(list(`{"content":"`, `\u0041`, `"}`))), 404, 16},
		"a content":              {newPost(assetsPath, acmeKey, strings.NewReader(list(`{"assets":[{"content":"https://`, "a", `.example"}]}`))), 200, 32},
	} {
		sent := uint64(max(c.request.ContentLength, int64(len(c.request.URL.RawQuery))))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got := s.do(c.request)
		runtime.ReadMemStats(&after)
		require.Equal(t, c.status, got.Status, "%s: %.200s", reason, got.Body)
		taken := after.TotalAlloc - before.TotalAlloc
		t.Logf("%s: %d bytes of a request took %d", reason, sent, taken)
		require.Less(t, taken, c.times*sent+1<<20, reason)
	}
	require.Empty(t, s.log.String())
}
