package httpapi_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/httpapi/limit"
)

// refusals returns the heads of requests that are refused before their body is read, and the
// status of each.
func refusals() map[string]struct {
	head   string
	status int
} {
	return map[string]struct {
		head   string
		status int
	}{
		"an unknown key":           {head(assetsPath, unknownKey), 401},
		"a key without scope":      {head(changelogPath, powerlessKey), 403},
		"another method":           {strings.Replace(head(assetsPath, acmeKey), "POST", "PUT", 1), 405},
		"a body that is too large": {head(disputePath, acmeKey), 413},
		"another type":             {strings.Replace(head(assetsPath, acmeKey), "json", "xml", 1), 415},
		"beyond a limit":           {head(assetsPath, globexKey), 429},
	}
}

// refuseGlobex refuses all requests of an organization.
func refuseGlobex(req limit.Request) (func(), error) {
	if req.Principal.OrganizationID == 2 {
		return nil, &limit.Error{}
	}
	return nil, nil
}

// sendWhole sends a request as simple clients do: it reads nothing before it has sent everything.
func sendWhole(client net.Conn, parts ...string) (int, error) {
	for _, part := range parts {
		if _, err := io.WriteString(client, part); err != nil {
			return 0, err
		}
	}
	return readStatus(client)
}

func TestDrain_SimpleClients(t *testing.T) {
	t.Parallel()
	const clients, size = 2, 4 << 20
	body := strings.Repeat(" ", size)
	for reason, c := range refusals() {
		for framing, parts := range map[string][]string{
			"a length": {"Content-Length: " + strconv.Itoa(size) + "\r\n\r\n", body},
			"chunks":   {"Transfer-Encoding: chunked\r\n\r\n", fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", size, body)},
		} {
			t.Run(reason+" and "+framing, func(t *testing.T) {
				t.Parallel()
				e := serveOn(t, listenTCP(t), setup{options: httpapi.Options{Admission: []limit.Admission{admissionFunc(refuseGlobex)}}})
				var group sync.WaitGroup
				got, errs := make([]int, clients), make([]error, clients)
				for i := range clients {
					client := e.dial(t)
					group.Go(func() { got[i], errs[i] = sendWhole(client, append([]string{c.head}, parts...)...) })
				}
				group.Wait()
				for i := range clients {
					require.NoError(t, errs[i])
					require.Equal(t, c.status, got[i])
				}
			})
		}
	}
}

// pipeListener accepts the connections that it receives, which have no buffers.
type pipeListener chan net.Conn

func (l pipeListener) Accept() (net.Conn, error) {
	conn, open := <-l
	if !open {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (pipeListener) Close() error   { return nil }
func (pipeListener) Addr() net.Addr { return &net.UnixAddr{} }

// The clock of the tests moves only while all of their goroutines wait.
func TestDrain_SlowClients(t *testing.T) {
	t.Parallel()
	const announced = 1 << 20
	for reason, c := range map[string]struct {
		head string
		// pause is the time between two bytes of the body, or 0 for none at all.
		pause, want time.Duration
	}{
		"a client that sends nothing":              {"", 0, httpapi.DrainPause},
		"a client that sends bytes":                {"", 1500 * time.Millisecond, httpapi.DrainTime},
		"a client that expects the status 100":     {"Expect: 100-continue\r\n", 0, 0},
		"a client that announces far too much":     {"Content-Length: " + strconv.Itoa(100*announced) + "\r\n", 0, 0},
		"a client that announces too much by half": {"Content-Length: " + strconv.Itoa(6*announced) + "\r\n", 0, httpapi.DrainPause},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				listener := make(pipeListener, 1)
				server := &http.Server{Handler: http.StripPrefix(base, newAPI(t, fixedPrincipal{err: httpapi.ErrUnauthenticated}, httpapi.Options{}))}
				go func() { _ = server.Serve(listener) }() // ends with the listener
				client, accepted := net.Pipe()
				listener <- accepted
				t.Cleanup(func() {
					require.NoError(t, client.Close())
					close(listener)
				})
				said := head(assetsPath, unknownKey) + c.head
				if !strings.Contains(said, "Content-Length") {
					said += "Content-Length: " + strconv.Itoa(announced) + "\r\n"
				}
				began := time.Now()
				_, err := io.WriteString(client, said+"\r\n")
				require.NoError(t, err)
				go func() {
					for err := error(nil); err == nil && c.pause > 0; _, err = io.WriteString(client, " ") {
						<-time.After(c.pause)
					}
				}()
				resp, err := http.ReadResponse(bufio.NewReader(client), nil)
				require.NoError(t, err)
				require.NoError(t, resp.Body.Close())
				require.Equal(t, http.StatusUnauthorized, resp.StatusCode)
				require.Equal(t, c.want, time.Since(began))
				_, err = io.Copy(io.Discard, client)
				require.NoError(t, err, "the server closes the connection")
			})
		})
	}
}

// A connection whose body was read to its end serves the next request.
func TestDrain_KeepsConnection(t *testing.T) {
	t.Parallel()
	const size = 1 << 20
	body := "Content-Length: " + strconv.Itoa(size) + "\r\n\r\n" + strings.Repeat(" ", size)
	refused := head(assetsPath, unknownKey) + body
	quit := head(changelogPath, acmeKey) + "Connection: close\r\nContent-Length: 2\r\n\r\n{}"
	require.Equal(t, []int{401, 401, 200}, serveLive(t).send(t, refused+refused+quit))
}
