package webhook_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/webhook"
)

// The example that the libraries of the Standard Webhooks specification are tested with.
func TestMessage_Sign(t *testing.T) {
	t.Parallel()
	secret, err := webhook.ParseSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	require.NoError(t, err)
	message := webhook.Message{ID: "msg_p5jXN8AQM9LWM0D4loKWxJek", Body: []byte(`{"test": 2432232314}`)}
	at := time.Unix(1614265330, 999)
	require.Equal(t, map[string]string{
		"webhook-id":        "msg_p5jXN8AQM9LWM0D4loKWxJek",
		"webhook-timestamp": "1614265330",
		"webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
	}, message.Headers(at, secret))

	other := webhook.GenerateSecret()
	require.Equal(t, message.Sign(at, other)+" "+message.Sign(at, secret), message.Sign(at, other, secret))
	require.NotEqual(t, message.Sign(at, secret), message.Sign(at.Add(time.Second), secret))
	require.NotEqual(t, message.Sign(at, secret), webhook.Message{ID: "other", Body: message.Body}.Sign(at, secret))
}

func TestService_Rotate(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	e := f.create()
	fresh, err := f.Rotate(t.Context(), e.ID)
	require.NoError(t, err)
	require.NotEqual(t, e.Secret, fresh)
	rotated := f.stored(e.ID)
	require.Equal(t, []webhook.Secret{fresh, e.Secret}, rotated.Secrets(f.now))
	require.Equal(t, []webhook.Secret{fresh, e.Secret}, rotated.Secrets(f.now.Add(24*time.Hour-time.Millisecond)))
	require.Equal(t, []webhook.Secret{fresh}, rotated.Secrets(f.now.Add(24*time.Hour)))

	f.change(1)
	attempt := f.attempt(rotated)
	require.Len(t, strings.Split(attempt.Headers()[webhook.HeaderSignature], " "), 2)
	_, err = f.Rotate(t.Context(), 99)
	require.ErrorIs(t, err, webhook.ErrNotFound)
}
