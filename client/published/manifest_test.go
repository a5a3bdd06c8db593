package published_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/client/published"
	"github.com/apguard/apguard/publish/manifest"
)

func TestFolder_Manifest(t *testing.T) {
	t.Parallel()
	p, now := newPublisher(t), time.Now()
	clock := now
	folder := p.open(t, published.Options{Now: func() time.Time { return clock }})
	p.Version = at(1, 5)
	p.publish(t, now.Add(-time.Minute))
	got, err := folder.Manifest(t.Context())
	require.NoError(t, err)
	require.Equal(t, at(1, 5), got.Version)
	require.WithinDuration(t, now.Add(-time.Minute), got.AsOf, time.Millisecond)

	again, err := folder.Manifest(t.Context())
	require.NoError(t, err)
	require.Equal(t, got, again, "the server says that it is the same")

	clock = now.Add(-2 * time.Minute)
	back, err := folder.Manifest(t.Context())
	require.NoError(t, err)
	require.True(t, clock.Equal(back.AsOf), "never later than the request")

	clock = now.Add(published.DefaultMaxAge - time.Minute)
	_, err = folder.Manifest(t.Context())
	require.ErrorIs(t, err, manifest.ErrTooOld, "also if the server says that it is the same")
}

// While a key is replaced, a client has both, and either is enough.
func TestFolder_Manifest_keys(t *testing.T) {
	t.Parallel()
	p, other := newPublisher(t), newKey(t, 7)
	p.publish(t, time.Now())
	folder, err := published.New(p.url, other.key+"\n"+p.key, published.Options{})
	require.NoError(t, err)
	_, err = folder.Manifest(t.Context())
	require.NoError(t, err)
	p.signer = other.signer
	p.publish(t, time.Now())
	_, err = folder.Manifest(t.Context())
	require.NoError(t, err)
	_, err = p.open(t, published.Options{}).Manifest(t.Context())
	require.ErrorIs(t, err, manifest.ErrSignature)
}

// What is refused changes nothing: the last manifest stays the one that counts.
func TestFolder_Manifest_refused(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for reason, c := range map[string]struct {
		change func(p *publisher)
		at     time.Duration
		want   error
	}{
		"an earlier time":          {func(p *publisher) { p.Version = at(1, 6) }, -time.Second, manifest.ErrOlder},
		"an earlier version":       {func(p *publisher) { p.Version = at(1, 4) }, time.Second, manifest.ErrOlder},
		"another store":            {func(p *publisher) { p.Version = at(2, 9) }, time.Second, manifest.ErrOtherStore},
		"a store without changes":  {func(p *publisher) { p.Version = asset.FeedCursor{} }, time.Second, manifest.ErrOtherStore},
		"the future":               {func(*publisher) {}, manifest.MaxAhead + time.Minute, manifest.ErrFuture},
		"other rules":              {func(p *publisher) { p.Rules++ }, time.Second, new(manifest.RulesError)},
		"no manifest":              {func(p *publisher) { p.set(answer(http.StatusNotFound, "")) }, 0, published.ErrUnavailable},
		"a server that is away":    {func(p *publisher) { p.set(abort) }, 0, published.ErrUnavailable},
		"a page":                   {func(p *publisher) { p.set(answer(http.StatusOK, "<html>\n\n</html>\n")) }, 0, manifest.ErrSignature},
		"nothing":                  {func(p *publisher) { p.set(answer(http.StatusOK, "")) }, 0, manifest.ErrSignature},
		"another success":          {func(p *publisher) { p.set(answer(http.StatusAccepted, "")) }, 0, published.ErrUnavailable},
		"a page that does not end": {func(p *publisher) { p.set(endless) }, 0, manifest.ErrMalformed},
		"a cut manifest": {func(p *publisher) {
			p.set(func(w http.ResponseWriter, _ *http.Request) bool {
				w.Header().Set("Content-Length", "100")
				_, _ = io.WriteString(w, "{")
				return true
			})
		}, 0, published.ErrUnavailable},
		"a manifest with another key": {func(p *publisher) {
			other := newPublisher(t)
			other.Manifest = p.Manifest
			other.signer = otherSigner{p.signer}
			other.publish(t, now.Add(time.Second))
			p.put(manifest.Name, other.content(manifest.Name))
			p.set(func(w http.ResponseWriter, _ *http.Request) bool {
				_, _ = w.Write(other.content(manifest.Name))
				return true
			})
		}, 0, manifest.ErrSignature},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			p := newPublisher(t)
			folder := p.open(t, published.Options{})
			p.Version = at(1, 5)
			p.publish(t, now)
			good := p.Manifest
			last, err := folder.Manifest(t.Context())
			require.NoError(t, err)

			c.change(p)
			p.publish(t, now.Add(c.at))
			_, err = folder.Manifest(t.Context())
			if rules := new(manifest.RulesError); errors.As(c.want, &rules) {
				require.ErrorAs(t, err, &rules)
				require.Equal(t, classify.Version+1, rules.Have)
			} else {
				require.ErrorIs(t, err, c.want)
			}
			require.NotContains(t, err.Error(), "127.0.0.1:", "the URL can have a password")

			p.set(nil)
			p.Manifest = good
			p.publish(t, now)
			again, err := folder.Manifest(t.Context())
			require.NoError(t, err)
			require.Equal(t, last.Manifest, again.Manifest)
		})
	}
}

// otherSigner signs with a wrong signature.
type otherSigner struct{ noteSigner }

// Sign returns a wrong signature.
func (otherSigner) Sign([]byte) ([]byte, error) { return make([]byte, 64), nil }

type noteSigner interface {
	Name() string
	KeyHash() uint32
	Sign(msg []byte) ([]byte, error)
}

// answer returns a handler with a response.
func answer(status int, body string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
		return true
	}
}

func abort(http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) }

// endless writes until the client has gone.
func endless(w http.ResponseWriter, _ *http.Request) bool {
	for {
		if _, err := w.Write(make([]byte, 1<<16)); err != nil {
			return true
		}
	}
}

// A manifest that takes long does not make a later one older, and a call that waits can be canceled.
func TestFolder_Manifest_concurrent(t *testing.T) {
	t.Parallel()
	p := newPublisher(t)
	folder := p.open(t, published.Options{})
	p.publish(t, time.Now())
	asked, proceed := make(chan struct{}), make(chan struct{})
	p.set(func(http.ResponseWriter, *http.Request) bool {
		asked <- struct{}{}
		<-proceed
		return false
	})
	ended := make(chan error)
	go func() {
		_, err := folder.Manifest(t.Context())
		ended <- err
	}()
	<-asked
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := folder.Manifest(canceled)
	require.ErrorIs(t, err, context.Canceled)
	close(proceed)
	require.NoError(t, <-ended)
}
