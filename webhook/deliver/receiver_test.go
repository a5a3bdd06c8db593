package deliver_test

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/test/npmtest"
	"github.com/apguard/apguard/webhook"
	"github.com/apguard/apguard/webhook/deliver"
)

// receiverVariable is the environment variable with a folder in which the npm package of
// testdata/receiver is installed.
const receiverVariable = "APGUARD_TEST_RECEIVER"

// answered is what a receiver has answered.
type answered struct {
	status int
	text   string
}

// libraryReceiver is a receiver in Node that verifies messages with the JavaScript library of the
// specification.
type libraryReceiver struct {
	*httptest.Server // in front of it
	port             string
	// alter changes a request on its way, unless it is nil.
	alter func(header http.Header, body []byte) []byte
	last  answered
}

func newLibraryReceiver(t *testing.T) *libraryReceiver {
	t.Helper()
	_, out := npmtest.Start(t, npmtest.Command(t, receiverVariable, filepath.Join("testdata", "receiver", "receiver.cjs")))
	lines := bufio.NewScanner(out)
	require.True(t, lines.Scan(), "the receiver must start")
	r := &libraryReceiver{port: lines.Text()}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err == nil {
			r.last, err = r.forward(req, body)
		}
		if err != nil {
			t.Error(err)
			return
		}
		w.WriteHeader(r.last.status)
	}))
	t.Cleanup(r.Close)
	return r
}

// forward passes a request on.
func (r *libraryReceiver) forward(req *http.Request, body []byte) (answered, error) {
	if r.alter != nil {
		body = r.alter(req.Header, body)
	}
	next, err := http.NewRequestWithContext(req.Context(), req.Method, "http://127.0.0.1:"+r.port, bytes.NewReader(body))
	if err != nil {
		return answered{}, err
	}
	next.Header = req.Header
	response, err := http.DefaultClient.Do(next)
	if err != nil {
		return answered{}, err
	}
	defer response.Body.Close() //nolint:errcheck // it was only read
	text, err := io.ReadAll(response.Body)
	return answered{response.StatusCode, string(text)}, err
}

// use sets the secret of the receiver.
func (r *libraryReceiver) use(t *testing.T, secret webhook.Secret) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, r.URL, http.NoBody)
	require.NoError(t, err)
	set, err := r.forward(req, []byte(secret.Reveal()))
	require.NoError(t, err)
	require.Equal(t, answered{http.StatusOK, ""}, set)
}

// A receiver that verifies messages with the JavaScript library of the specification accepts them,
// and no others.
func TestSender_StandardWebhooks(t *testing.T) {
	t.Parallel()
	r := newLibraryReceiver(t)
	f := newFixture(t, true)
	f.until(time.Now()) // the library knows the time
	e := f.create(r.URL, webhook.Filter{})
	sender := f.sender(deliver.Options{})
	requireAnswer := func(want answered, reason string) {
		t.Helper()
		outcome, err := sender.Test(t.Context(), e.ID)
		require.NoError(t, err)
		require.Equal(t, want, r.last, reason)
		require.Equal(t, want.status == http.StatusOK, outcome.Succeeded(), "of a receiver that is not public, no more is told")
	}
	accepted := answered{http.StatusOK, webhook.EventTest}
	unsigned := answered{http.StatusUnauthorized, "No matching signature found"}

	r.use(t, e.Secret)
	requireAnswer(accepted, "a test message")
	stop := f.run(f.sender(deliver.Options{}))
	f.block(3)
	require.Equal(t, 3, f.event(deliver.EventDelivered).Events)
	stop()
	require.Equal(t, answered{http.StatusOK, string(webhook.EventStatusChanged)}, r.last)

	for reason, one := range map[string]struct {
		alter func(header http.Header, body []byte) []byte
		want  answered
	}{
		"a changed body": {func(_ http.Header, body []byte) []byte { return append(body, ' ') }, unsigned},
		"another ID": {func(header http.Header, body []byte) []byte {
			header.Set(webhook.HeaderID, "msg_other")
			return body
		}, unsigned},
		"another time": {func(header http.Header, body []byte) []byte {
			header.Set(webhook.HeaderTimestamp, webhook.Message{}.Headers(time.Now().Add(-time.Minute))[webhook.HeaderTimestamp])
			return body
		}, unsigned},
		"no signature": {func(header http.Header, body []byte) []byte {
			header.Del(webhook.HeaderSignature)
			return body
		}, answered{http.StatusUnauthorized, "Missing required headers"}},
	} {
		r.alter = one.alter
		requireAnswer(one.want, reason)
	}
	r.alter = nil
	f.pass(-6 * time.Minute)
	requireAnswer(answered{http.StatusUnauthorized, "Message timestamp too old"}, "an old message")
	f.pass(6 * time.Minute)

	fresh, err := f.webhooks.Rotate(t.Context(), e.ID)
	require.NoError(t, err)
	requireAnswer(accepted, "with the old secret, for a day after the rotation")
	r.use(t, fresh)
	requireAnswer(accepted, "with the new secret")
	r.use(t, webhook.GenerateSecret())
	requireAnswer(unsigned, "with the secret of another endpoint")

	f.pass(-webhook.RotationTime)
	last, err := f.webhooks.Rotate(t.Context(), e.ID)
	require.NoError(t, err)
	f.pass(webhook.RotationTime)
	r.use(t, fresh)
	requireAnswer(unsigned, "with the old secret, a day after the rotation")
	r.use(t, last)
	requireAnswer(accepted, "with the new secret")
}
