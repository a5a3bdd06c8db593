package httpapi_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/httpapi"
)

// servePipe serves the API on a connection without buffers, for clients whose times are those of a
// bubble of synctest.
func servePipe(t *testing.T, s testServer) (client net.Conn) {
	t.Helper()
	listener := make(pipeListener, 1)
	server := &http.Server{Handler: s}
	go func() { _ = server.Serve(listener) }() // ends with the listener
	client, accepted := net.Pipe()
	listener <- accepted
	t.Cleanup(func() {
		_ = client.Close()
		close(listener)
	})
	return client
}

// The clock of the tests moves only while all of their goroutines wait.
func TestReadBody_SlowClients(t *testing.T) {
	t.Parallel()
	const size = 60_000
	body := "{" + strings.Repeat(" ", size-2) + "}"
	for reason, c := range map[string]struct {
		// part is the number of bytes that the client sends after each pause.
		part  int
		pause time.Duration
		// want is the status, and after the time until it comes.
		want  int
		after time.Duration
	}{
		"a byte each 1.5 seconds":           {1, 1500 * time.Millisecond, 400, httpapi.DefaultClientTimeout},
		"nothing at all":                    {1, time.Hour, 400, httpapi.DefaultClientTimeout},
		"a pause as long as the timeout":    {size - 1, httpapi.DefaultClientTimeout - 1, 200, httpapi.DefaultClientTimeout - 1},
		"a quarter of the rate":             {1 << 10, time.Second, 400, httpapi.DefaultClientTimeout},
		"the rate, for longer than allowed": {1000, 220 * time.Millisecond, 200, 60 * 220 * time.Millisecond},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				client := servePipe(t, start(t))
				_, err := io.WriteString(client, head(changelogPath, acmeKey)+"Content-Length: 60000\r\n\r\n"+body[:1])
				require.NoError(t, err)
				began, over := time.Now(), make(chan struct{})
				defer close(over)
				go func() {
					for sent := 1; sent < size; sent += c.part {
						select {
						case <-time.After(c.pause):
						case <-over:
							return
						}
						if _, err := io.WriteString(client, body[sent:min(sent+c.part, size)]); err != nil {
							return
						}
					}
				}()
				resp, err := http.ReadResponse(bufio.NewReader(client), nil)
				require.NoError(t, err)
				text, err := io.ReadAll(resp.Body)
				require.NoError(t, err)
				require.NoError(t, resp.Body.Close())
				require.Equal(t, c.want, resp.StatusCode, string(text))
				require.InDelta(t, c.after.Seconds(), time.Since(began).Seconds(), 0.5)
				require.Equal(t, c.want != http.StatusOK, resp.Close)
				if c.want != http.StatusOK {
					require.Contains(t, string(text), "the body is sent too slowly")
					_, err = io.Copy(io.Discard, client)
					require.NoError(t, err, "the server closes the connection")
				}
				require.NoError(t, client.Close())
			})
		})
	}
}

// A request whose body is not needed is answered before the body has arrived.
func TestServe_BodyThatIsNotNeeded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, line := range []string{"GET " + feedPath, "GET " + documentPath, "PUT " + feedPath} {
			client := servePipe(t, start(t))
			_, err := io.WriteString(client, line+" HTTP/1.1\r\nHost: test\r\nX-API-KEY: "+acmeKey+"\r\nContent-Length: 1000\r\n\r\n{")
			require.NoError(t, err)
			began := time.Now()
			resp, err := http.ReadResponse(bufio.NewReader(client), nil)
			require.NoError(t, err)
			require.LessOrEqual(t, time.Since(began), httpapi.DrainPause)
			require.True(t, resp.Close)
			require.NoError(t, resp.Body.Close())
			_, err = io.Copy(io.Discard, client)
			require.NoError(t, err, "the server closes the connection")
			require.NoError(t, client.Close())
		}
	})
}

// The deadline of a body does not end the requests that follow on the connection.
func TestReadBody_DeadlineEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := servePipe(t, start(t))
		in := bufio.NewReader(client)
		for range 3 {
			_, err := io.WriteString(client, head(changelogPath, acmeKey)+"Content-Length: 2\r\n\r\n{}")
			require.NoError(t, err)
			resp, err := http.ReadResponse(in, nil)
			require.NoError(t, err)
			_, err = io.Copy(io.Discard, resp.Body)
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			require.False(t, resp.Close)
			time.Sleep(2 * httpapi.DefaultClientTimeout)
		}
		require.NoError(t, client.Close())
	})
}
