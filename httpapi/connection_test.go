package httpapi_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/httpapi"
)

// liveServer is the API on a listener, in an http.Server without limits.
type liveServer struct {
	testServer
	observer *recordingObserver
	addr     string
}

// dial connects to the server until the end of the test. Reads and writes time out after
// a minute.
func (e liveServer) dial(t *testing.T) *net.TCPConn {
	t.Helper()
	client, err := new(net.Dialer).DialContext(t.Context(), "tcp", e.addr)
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.Close() })
	require.NoError(t, client.SetDeadline(time.Now().Add(time.Minute)))
	return client.(*net.TCPConn)
}

// send sends text and returns the statuses of the responses, until the server closes
// the connection.
func (e liveServer) send(t *testing.T, text string) []int {
	t.Helper()
	client := e.dial(t)
	go func() { _, _ = io.WriteString(client, text) }() // fails after the server closes the connection
	return statuses(client)
}

// observed returns the number of requests that the observer has received.
func (e liveServer) observed() int {
	e.observer.mu.Lock()
	defer e.observer.mu.Unlock()
	return len(e.observer.requests)
}

// requireNoFailures requires that the API has served a number of requests without a
// failure. It waits for the observer, which may be called after the client has its response.
func (e liveServer) requireNoFailures(t *testing.T, requests int) {
	t.Helper()
	require.Eventually(t, func() bool { return e.observed() >= requests }, time.Minute, time.Millisecond)
	e.observer.mu.Lock()
	defer e.observer.mu.Unlock()
	require.Len(t, e.observer.requests, requests)
	for _, info := range e.observer.requests {
		require.Less(t, info.Status, http.StatusInternalServerError)
		require.NoError(t, info.Err)
	}
	require.Empty(t, e.log.String())
}

func serveLive(t *testing.T) liveServer {
	t.Helper()
	return serveOn(t, listenTCP(t), setup{})
}

// listenTCP returns a listener on a free port.
func listenTCP(t *testing.T) net.Listener {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	return listener
}

func serveOn(t *testing.T, listener net.Listener, s setup) liveServer {
	t.Helper()
	e := liveServer{observer: new(recordingObserver), addr: listener.Addr().String()}
	s.options.Observer = e.observer
	e.testServer = startWith(t, s)
	server := &http.Server{Handler: e.testServer}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	t.Cleanup(func() {
		require.NoError(t, server.Close())
		require.ErrorIs(t, <-served, http.ErrServerClosed)
	})
	return e
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

// head returns the head of a POST request, without the headers of its length.
func head(path, key string) string {
	return "POST " + path + " HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nX-API-KEY: " + key + "\r\n"
}

func TestConnection_Framing(t *testing.T) {
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
		// requests is the number of requests that reach the API, and added that of
		// the assets afterwards.
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
		// RFC 9112, section 6.1: 501 for an unknown transfer coding.
		"compressed chunks":               {right + "Transfer-Encoding: gzip, chunked\r\n\r\n" + chunks, []int{501}, 0, 0},
		"chunks within chunks":            {right + "Transfer-Encoding: chunked, chunked\r\n\r\n" + chunks, []int{501}, 0, 0},
		"chunks, said twice":              {right + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks, []int{501}, 0, 0},
		"chunks, and no chunks":           {right + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n" + chunks, []int{501}, 0, 0},
		"a length, asked before":          {right + "Connection: close\r\nExpect: 100-continue\r\n" + length + "\r\n" + add, []int{100, 200}, 1, 1},
		"an unknown expectation":          {right + "Expect: the-unexpected\r\n" + length + "\r\n" + add, []int{417}, 0, 0},
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
			e := serveLive(t)
			require.Equal(t, c.statuses, e.send(t, c.said))
			e.requireNoFailures(t, c.requests)
			listed, err := e.guard.Allowlist.List(context.Background(), allowlist.ListRequest{OrganizationID: 1})
			require.NoError(t, err)
			require.Len(t, listed.Entries, c.added)
		})
	}
}

// TestConnection_ErrorBeforeBody has clients that expect a status 100 before they send
// the body.
func TestConnection_ErrorBeforeBody(t *testing.T) {
	t.Parallel()
	const asks = "Expect: 100-continue\r\n"
	e := serveLive(t)
	requests := map[string]struct {
		said   string
		status int
	}{
		"a wrong key":            {head(assetsPath, unknownKey) + asks + "Content-Length: 2\r\n\r\n", 401},
		"a wrong key and chunks": {head(assetsPath, unknownKey) + asks + "Transfer-Encoding: chunked\r\n\r\n", 401},
		"a key without scope":    {head(changelogPath, powerlessKey) + asks + "Content-Length: 2\r\n\r\n", 403},
		"a wrong method":         {strings.Replace(head(assetsPath, acmeKey), "POST", "PUT", 1) + asks + "Content-Length: 2\r\n\r\n", 405},
		"a wrong type":           {strings.Replace(head(assetsPath, acmeKey), "json", "xml", 1) + asks + "Content-Length: 2\r\n\r\n", 415},
		"a large body":           {head(assetsPath, acmeKey) + asks + "Content-Length: 99999999\r\n\r\n", 413},
	}
	for reason, c := range requests {
		client := e.dial(t)
		_, err := io.WriteString(client, c.said)
		require.NoError(t, err)
		resp, err := http.ReadResponse(bufio.NewReader(client), nil)
		require.NoError(t, err, reason)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, c.status, resp.StatusCode, reason)
		require.NoError(t, client.Close())
	}
	e.requireNoFailures(t, len(requests))
}

// TestConnection_TruncatedBody has bodies that would be valid if they were complete.
func TestConnection_TruncatedBody(t *testing.T) {
	t.Parallel()
	e := serveLive(t)
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
	e.requireNoFailures(t, 3)
}

// countingListener counts the bytes that are read from its connections.
type countingListener struct {
	net.Listener
	read chan int
}

func (l countingListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &countingConn{Conn: conn, total: l.read}, nil
}

type countingConn struct {
	net.Conn
	read  int
	total chan int
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

func TestConnection_EndlessBody(t *testing.T) {
	t.Parallel()
	const most = 1 << 20
	for reason, c := range map[string]struct {
		said, again string
		// read is the maximum number of bytes that the server may read.
		read int
	}{
		"chunks":                     {"Transfer-Encoding: chunked\r\n\r\n", "8000\r\n" + strings.Repeat(" ", 0x8000) + "\r\n", 2*most + httpapi.MaxDrain},
		"one endless chunk":          {"Transfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\n", strings.Repeat(" ", 0x8000), 2*most + httpapi.MaxDrain},
		"tiny chunks":                {"Transfer-Encoding: chunked\r\n\r\n", strings.Repeat("1\r\n \r\n", 0x1000), 16*most + 6*httpapi.MaxDrain},
		"a length that is announced": {"Content-Length: 9223372036854775807\r\n\r\n", strings.Repeat(" ", 0x8000), most / 2},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			listener := listenTCP(t)
			counted := countingListener{listener, make(chan int, 1)}
			e := serveOn(t, counted, setup{options: httpapi.Options{MaxBatchBody: most}})
			client := e.dial(t)
			go func() {
				_, err := io.WriteString(client, head(assetsPath, acmeKey)+c.said)
				for err == nil {
					_, err = io.WriteString(client, c.again)
				}
			}()
			got := statuses(client)
			require.Len(t, got, 1)
			require.Contains(t, []int{413, 400}, got[0]) // net/http ends tiny chunks by itself
			require.NoError(t, client.Close())
			require.Less(t, <-counted.read, c.read)
			e.requireNoFailures(t, 1)
		})
	}
}
