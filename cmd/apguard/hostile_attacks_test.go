package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// attack is what hostile clients do.
type attack struct {
	name    string
	clients int
	// attempt attacks once. Each client repeats it until ctx is canceled, unless once is
	// true.
	attempt func(ctx context.Context, a *attacker)
	once    bool
	// stores says that the requests use the database.
	stores bool
	// lists says that the server has hash lists and MetaMask's.
	lists bool
}

func attacks(size hostileSize) []attack {
	all := slices.Concat(bodyAttacks(), checkAttacks(), listAttacks(), otherAttacks(), slowAttacks(), halfClosingAttacks())
	for i := range all {
		all[i].clients = max(all[i].clients/size.share, 1)
	}
	return all
}

// bodyAttacks returns attacks with bodies. One of 16 MiB is too large for every operation, and
// one of 4 MiB is not.
func bodyAttacks() []attack {
	const mib = 1 << 20
	return []attack{
		{name: "32 bodies of 16 MiB with 1.9 million names", clients: 32, attempt: sendBody(manyNames(16 * mib))},
		{name: "32 chunked bodies of 16 MiB with 1.9 million names", clients: 32, attempt: sendChunked(manyNames(16 * mib))},
		{name: "32 bodies of 4 MiB with many names", clients: 32, attempt: sendBody(manyNames(4 * mib))},
		{name: "32 bodies of 16 MiB with one unfinished name", clients: 32, attempt: sendBody(unfinishedName(16 * mib))},
		{name: "32 bodies of 4 MiB with one unfinished name", clients: 32, attempt: sendBody(unfinishedName(4 * mib))},
		{name: "100 unfinished uploads of 16 MiB", clients: 100, attempt: sendUnfinished(unfinishedName(16 * mib))},
		{name: "100 unfinished uploads of 4 MiB", clients: 100, attempt: sendUnfinished(unfinishedName(4 * mib))},
		{name: "16 descriptions of 16 MiB", clients: 16, attempt: sendBody(longDescription(16 * mib))},
		{name: "16 descriptions of 4 MiB", clients: 16, attempt: sendBody(longDescription(4 * mib))},
		{name: "32 batches of 4 MiB", clients: 32, attempt: sendBody(largeBatch(4 * mib)), stores: true},
		{name: "128 batches of 1,000 short items", clients: 128, attempt: sendShortItems(), stores: true},
	}
}

func otherAttacks() []attack {
	return []attack{
		{name: "100 slow readers", clients: 100, attempt: readChangelogSlowly, stores: true},
		{name: "5000 half-open connections", clients: 5000, attempt: sendHalfHead},
		{name: "5000 half-open connections that reconnect", clients: 5000, attempt: sendHalfHeads},
		{name: "100 searches without a hit", clients: 100, attempt: searchInVain, stores: true},
	}
}

func halfClosingAttacks() (attacks []attack) {
	requests := halfClosedRequests()
	for _, operation := range slices.Sorted(maps.Keys(requests)) {
		attacks = append(attacks, attack{
			name: "200 half-closed requests of " + operation, clients: 200, attempt: halfClose(requests[operation]), once: true,
			stores: operation != documentOperation,
		})
	}
	return attacks
}

// attacker is a hostile client.
type attacker struct {
	// addr and phishing are the addresses of the server.
	addr, phishing string
	number         int
	// cursor is the end of the feed.
	cursor string
	// begun is called when the first attempt has its effect. It may be called again.
	begun    func()
	statuses *statusCounter
}

// statusCounter counts responses by status.
type statusCounter struct {
	mu       sync.Mutex
	byStatus map[int]int
}

func (c *statusCounter) add(status int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byStatus == nil {
		c.byStatus = make(map[int]int)
	}
	c.byStatus[status]++
}

// dial returns a connection from another address than that of the bystander, if the system
// has one. It is closed when ctx is canceled, and nil if there is none.
// The caller must call release.
func (a *attacker) dial(ctx context.Context) (conn *net.TCPConn, release func()) {
	var dialer net.Dialer
	if runtime.GOOS == "linux" { // others have only one address of this kind
		dialer.LocalAddr = &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}
	}
	dialed, err := dialer.DialContext(ctx, "tcp", a.addr)
	if err != nil {
		return nil, func() {}
	}
	conn = dialed.(*net.TCPConn)
	_ = conn.SetLinger(0) // so that many attempts leave no connections that use a port
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	return conn, func() {
		stop()
		_ = conn.Close()
	}
}

// send sends the parts of a request and counts the status of the response.
func (a *attacker) send(ctx context.Context, parts ...[]byte) {
	conn, release := a.dial(ctx)
	defer release()
	if conn == nil {
		return
	}
	var sending sync.WaitGroup
	sending.Go(func() {
		buffers := net.Buffers(parts)
		_, _ = buffers.WriteTo(conn) // fails if the server refuses the rest
		a.begun()
	})
	a.countStatus(ctx, conn)
	_ = conn.Close()
	sending.Wait()
}

// countStatus reads a response and counts its status.
func (a *attacker) countStatus(ctx context.Context, conn io.Reader) {
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		if ctx.Err() == nil {
			a.statuses.add(0)
		}
		return
	}
	defer resp.Body.Close() //nolint:errcheck // it is only read
	_, _ = io.Copy(io.Discard, resp.Body)
	a.statuses.add(resp.StatusCode)
}

func hostileHead(path, more string) []byte {
	return []byte("POST /api/v2" + path + " HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nX-API-KEY: " + hostileKey + "\r\n" + more + "\r\n")
}

func hostileGet(path string) []byte {
	return []byte("GET /api/v2" + path + " HTTP/1.1\r\nHost: test\r\nX-API-KEY: " + hostileKey + "\r\n\r\n")
}

const batchPath = "/organization/assets"

func sendBody(body []byte) func(context.Context, *attacker) {
	head := hostileHead(batchPath, "Content-Length: "+strconv.Itoa(len(body))+"\r\n")
	return func(ctx context.Context, a *attacker) { a.send(ctx, head, body) }
}

func sendChunked(body []byte) func(context.Context, *attacker) {
	head := hostileHead(batchPath, "Transfer-Encoding: chunked\r\n")
	chunk := fmt.Appendf(nil, "%x\r\n", len(body))
	return func(ctx context.Context, a *attacker) { a.send(ctx, head, chunk, body, []byte("\r\n0\r\n\r\n")) }
}

// sendUnfinished sends all of a body but its last byte, and waits.
func sendUnfinished(body []byte) func(context.Context, *attacker) {
	head := hostileHead(batchPath, "Content-Length: "+strconv.Itoa(len(body))+"\r\n")
	return func(ctx context.Context, a *attacker) { a.send(ctx, head, body[:len(body)-1]) }
}

// manyNames returns an object of that many bytes whose names have four letters.
func manyNames(size int) []byte {
	var body bytes.Buffer
	body.WriteByte('{')
	for i := 0; body.Len() < size-len(`"zzzz":0}`); i++ {
		if i > 0 {
			body.WriteByte(',')
		}
		name := strconv.FormatInt(int64(i), 36)
		body.WriteString(`"` + strings.Repeat("-", max(4-len(name), 0)) + name + `":0`)
	}
	body.WriteByte('}')
	return body.Bytes()
}

func unfinishedName(size int) []byte {
	return append([]byte(`{"`), bytes.Repeat([]byte("a"), size-2)...)
}

func longDescription(size int) []byte {
	const begin, end = `{"assets":[{"content":"https://long.example","description":"`, `"}]}`
	return []byte(begin + strings.Repeat("d", size-len(begin)-len(end)) + end)
}

// largeBatch returns a valid batch of 1,000 assets.
func largeBatch(size int) []byte {
	var body bytes.Buffer
	body.WriteString(`{"assets":[`)
	const assets = 1000
	for i := range assets {
		if i > 0 {
			body.WriteByte(',')
		}
		begin := fmt.Sprintf(`{"content":"https://large.example/%d","description":"`, i)
		body.WriteString(begin + strings.Repeat("d", size/assets-len(begin)-4) + `"}`)
	}
	body.WriteString(`]}`)
	return body.Bytes()
}

// sendShortItems returns an attempt that adds 1,000 new assets in about 24 KB.
func sendShortItems() func(context.Context, *attacker) {
	var added atomic.Int64
	return func(ctx context.Context, a *attacker) {
		const assets = 1000
		first := added.Add(assets)
		items := make([]string, 0, assets)
		for i := range int64(assets) {
			items = append(items, `{"content":"e`+strconv.FormatInt(first+i, 36)+`.com"}`)
		}
		body := `{"assets":[` + strings.Join(items, ",") + `]}`
		a.send(ctx, hostileHead(batchPath, "Content-Length: "+strconv.Itoa(len(body))+"\r\n"), []byte(body))
	}
}

// readChangelogSlowly reads a long changelog.
func readChangelogSlowly(ctx context.Context, a *attacker) {
	a.readSlowly(ctx, append(hostileHead("/asset/changelog", "Content-Length: 2\r\n"), `{}`...))
}

// readSlowly sends a request and reads the response with a small receive buffer, and a little
// faster than the server requires.
func (a *attacker) readSlowly(ctx context.Context, request []byte) {
	conn, release := a.dial(ctx)
	defer release()
	if conn == nil {
		return
	}
	const rate, perSecond = 10 << 10, 10
	_ = conn.SetReadBuffer(4 << 10)
	_, _ = conn.Write(request)
	a.begun()
	part := make([]byte, rate/perSecond)
	n, err := conn.Read(part)
	if status, ok := bytes.CutPrefix(part[:n], []byte("HTTP/1.1 ")); ok && len(status) > 3 {
		number, _ := strconv.Atoi(string(status[:3]))
		a.statuses.add(number)
		if number != http.StatusOK {
			return
		}
	}
	tick := time.NewTicker(time.Second / perSecond)
	defer tick.Stop()
	for err == nil {
		<-tick.C
		_, err = conn.Read(part)
	}
}

// sendHalfHead sends a part of a head, and waits even when the server has closed the
// connection.
func sendHalfHead(ctx context.Context, a *attacker) {
	sendHalfHeads(ctx, a)
	<-ctx.Done()
}

// sendHalfHeads sends a part of a head, and waits until the server closes the connection.
func sendHalfHeads(ctx context.Context, a *attacker) {
	conn, release := a.dial(ctx)
	defer release()
	if conn == nil {
		return
	}
	_, _ = io.WriteString(conn, "GET "+livePath+" HTTP/1.1\r\nHost: test\r\nX-A: ")
	a.begun()
	a.countStatus(ctx, conn)
}

func searchInVain(ctx context.Context, a *attacker) {
	a.send(ctx, hostileGet("/organization/reports?limit=100&searchQuery=nowhere"))
}

// documentOperation needs no database.
const documentOperation = "the OpenAPI document"

// halfClosedRequests returns for each operation the requests of the numbered clients.
func halfClosedRequests() map[string]func(number int) []byte {
	post := func(path, body string) []byte {
		return append(hostileHead(path, "Content-Length: "+strconv.Itoa(len(body))+"\r\n"), body...)
	}
	return map[string]func(int) []byte{
		"the changelog":       func(int) []byte { return post("/asset/changelog", `{"content":"https://bad.example"}`) },
		"the whole changelog": func(int) []byte { return post("/asset/changelog", `{}`) },
		"dispute create": func(number int) []byte {
			return post("/dispute/create", fmt.Sprintf(`{"content":"https://bad.example/%d","email":"eve@evil.example"}`, number))
		},
		"dispute get": func(number int) []byte { return hostileGet(fmt.Sprintf("/dispute/get?id=%d", number+1)) },
		"report create": func(number int) []byte {
			return post("/report/create", fmt.Sprintf(`{"proposals":[{"content":"https://evil.example/%d","proposedStatus":"BLOCKED"}]}`, number))
		},
		"batch add": func(number int) []byte {
			return post(batchPath, fmt.Sprintf(`{"assets":[{"content":"https://evil.example/%d"}]}`, number))
		},
		"check":       func(int) []byte { return post("/asset/check", `{"content":"https://www.bad.example/x"}`) },
		"check batch": func(int) []byte { return post(checkBatchPath, `{"contents":["https://www.bad.example/x","no asset"]}`) },
		"the list":    func(int) []byte { return hostileGet("/asset/list") },
		"the export":  func(int) []byte { return hostileGet("/asset/export/csv") },
		"removal": func(number int) []byte {
			return post("/organization/assets/remove", fmt.Sprintf(`{"ids":[%d]}`, number+1))
		},
		"the deprecated listing": func(int) []byte {
			return post("/public/getOrganizationReports", `{"slug":"evil","limit":20}`)
		},
		"the listing": func(int) []byte {
			return hostileGet("/organization/reports")
		},
		documentOperation: func(int) []byte { return []byte("GET /api/v2/openapi.json HTTP/1.1\r\nHost: test\r\n\r\n") },
	}
}

// halfClose sends a request, closes its half of the connection and reads the response.
func halfClose(request func(number int) []byte) func(context.Context, *attacker) {
	return func(ctx context.Context, a *attacker) {
		conn, release := a.dial(ctx)
		defer release()
		if conn == nil {
			return
		}
		_, _ = conn.Write(request(a.number))
		_ = conn.CloseWrite()
		a.begun()
		a.countStatus(ctx, conn)
	}
}
