package client_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/lists"
)

const synced = `{"added":1,"withdrawn":0,"kept":0,"refused":0,"overruled":0,"protected":0,"examples":null}`

// uploader is a transport that answers each file by the next step. It keeps the files.
type uploader struct {
	steps []func(file io.Reader) (status int, err error)
	files []string
}

func (u *uploader) RoundTrip(r *http.Request) (*http.Response, error) {
	var file strings.Builder
	step := u.steps[len(u.files)]
	status, err := step(io.TeeReader(r.Body, &file))
	u.files = append(u.files, file.String())
	_ = r.Body.Close()
	if err != nil {
		return nil, err
	}
	return &http.Response{
		StatusCode: status, ProtoMajor: 1, ProtoMinor: 1, ContentLength: int64(len(synced)), Request: r,
		Header: http.Header{"Content-Type": {"application/json"}, "Retry-After": {"1"}}, Body: io.NopCloser(strings.NewReader(synced)),
	}, nil
}

// taken is a step that reads the file and answers with a status.
func taken(status int) func(io.Reader) (int, error) {
	return func(file io.Reader) (int, error) {
		_, err := io.Copy(io.Discard, file)
		return status, err
	}
}

// broken is a step that reads a byte before the connection breaks off.
func broken(file io.Reader) (int, error) {
	_, _ = file.Read(make([]byte, 1))
	return 0, io.ErrUnexpectedEOF
}

func syncWith(t *testing.T, u *uploader, file io.Reader) (lists.SyncResult, error) {
	t.Helper()
	op := newOperator(t, "https://example.com", client.Options{HTTPClient: &http.Client{Transport: u}})
	return op.SyncList(t.Context(), client.SyncRequest{Name: "acme-feed"}, file)
}

// unclosable is a file that a client must not close.
type unclosable struct {
	t *testing.T
	io.ReadSeeker
}

func (u unclosable) Close() error {
	u.t.Error("the file was closed")
	return nil
}

func TestOperator_SyncList_repeated(t *testing.T) {
	t.Parallel()
	u := &uploader{steps: []func(io.Reader) (int, error){taken(429), taken(503), taken(200)}}
	file := unclosable{t, strings.NewReader("header\nx.dev\n")}
	_, err := file.Seek(7, io.SeekStart)
	require.NoError(t, err)
	result, err := syncWith(t, u, file)
	require.NoError(t, err)
	require.Equal(t, lists.SyncResult{Added: 1}, result)
	require.Equal(t, []string{"x.dev\n", "x.dev\n", "x.dev\n"}, u.files, "from where it stands")
}

func TestOperator_SyncList_once(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		step    func(io.Reader) (int, error)
		file    io.Reader
		want    error
		unknown bool
	}{
		"cannot be read again":  {taken(429), io.MultiReader(strings.NewReader("x.dev\n")), client.ErrRateLimited, false},
		"may have been synced":  {broken, strings.NewReader("x.dev\n"), io.ErrUnexpectedEOF, true},
		"answered by a gateway": {taken(502), strings.NewReader("x.dev\n"), client.ErrOutcomeUnknown, true},
	} {
		u := &uploader{steps: []func(io.Reader) (int, error){c.step, taken(200)}}
		_, err := syncWith(t, u, c.file)
		require.ErrorIs(t, err, c.want, reason)
		require.Equal(t, c.unknown, failure(t, err).OutcomeUnknown, reason)
		require.Len(t, u.files, 1, reason)
	}
}

// failing is a file that cannot be read to its end.
type failing struct {
	io.ReadSeeker
	err error
}

func (f failing) Read(p []byte) (int, error) {
	n, err := f.ReadSeeker.Read(p)
	if err != nil {
		err = f.err
	}
	return n, err
}

func TestOperator_SyncList_unreadable(t *testing.T) {
	t.Parallel()
	cause := errors.New("bad sector")
	u := &uploader{steps: []func(io.Reader) (int, error){taken(200), taken(200)}}
	_, err := syncWith(t, u, failing{strings.NewReader("x.dev\n"), cause})
	require.ErrorIs(t, err, cause)
	require.NotErrorIs(t, err, client.ErrOutcomeUnknown, "the server has not received it all")
	require.NotErrorIs(t, err, client.ErrUnavailable)
	require.Len(t, u.files, 1)
}

// pausing is a file whose parts take long.
type pausing struct {
	io.Reader
	pause time.Duration
}

func (p pausing) Read(part []byte) (int, error) {
	time.Sleep(p.pause)
	return p.Reader.Read(part[:1])
}

// The time of the file does not count, and that of the server counts for each part of the file.
func TestOperator_SyncList_silence(t *testing.T) {
	t.Parallel()
	stuck := func(pause time.Duration, parts int64) func(io.Reader) (int, error) {
		return func(file io.Reader) (int, error) {
			for range parts {
				time.Sleep(pause)
				_, _ = file.Read(make([]byte, 1))
			}
			return taken(200)(file)
		}
	}
	for reason, c := range map[string]struct {
		step func(io.Reader) (int, error)
		want error
	}{
		"a slow file":                    {taken(200), nil},
		"a server that takes some time":  {stuck(client.DefaultTimeout-time.Second, 4), nil},
		"a server that never reads it":   {stuck(client.DefaultTimeout+time.Second, 1), client.ErrOutcomeUnknown},
		"a server that stops to read it": {stuck(client.DefaultTimeout+time.Second, 2), client.ErrOutcomeUnknown},
	} {
		synctest.Test(t, func(t *testing.T) {
			u := &uploader{}
			u.steps = append(u.steps, func(file io.Reader) (int, error) { return c.step(file) })
			op := newOperator(t, "https://example.com", client.Options{HTTPClient: &http.Client{Transport: canceled{u}}})
			file := pausing{strings.NewReader("x.dev\n"), time.Hour}
			_, err := op.SyncList(t.Context(), client.SyncRequest{Name: "acme-feed"}, file)
			if c.want == nil {
				require.NoError(t, err, reason)
				return
			}
			require.ErrorIs(t, err, c.want, reason)
			require.ErrorContains(t, err, "the server has sent nothing", reason)
		})
	}
}

// canceled is a transport that ends with the context of its request.
type canceled struct{ http.RoundTripper }

func (c canceled) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := c.RoundTripper.RoundTrip(r)
	if r.Context().Err() != nil {
		return nil, r.Context().Err()
	}
	return response, err
}

// The file is sent while it is read.
func TestOperator_SyncList_streamed(t *testing.T) {
	t.Parallel()
	received, done := make(chan string), make(chan struct{})
	c := serve(t, client.Options{}, func(w http.ResponseWriter, r *http.Request) {
		part := make([]byte, 6)
		_, _ = io.ReadFull(r.Body, part)
		received <- string(part)
		rest, _ := io.ReadAll(r.Body)
		received <- string(rest)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, synced)
	})
	op := newOperator(t, strings.TrimPrefix(c.String(), "client of "), client.Options{})
	file, writer := io.Pipe()
	go func() {
		defer close(done)
		_, err := op.SyncList(t.Context(), client.SyncRequest{Name: "acme-feed"}, file)
		if err != nil {
			t.Error(err)
		}
	}()
	_, _ = io.WriteString(writer, "x.dev\n")
	require.Equal(t, "x.dev\n", <-received)
	_, _ = io.WriteString(writer, "y.dev\n")
	require.NoError(t, writer.Close())
	require.Equal(t, "y.dev\n", <-received)
	<-done
}
