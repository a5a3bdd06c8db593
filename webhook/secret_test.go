package webhook_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/webhook"
)

func encoded(n int) string { return base64.StdEncoding.EncodeToString(make([]byte, n)) }

func TestParseSecret(t *testing.T) {
	t.Parallel()
	for text, reason := range map[string]string{
		"":                                  "empty",
		encoded(32):                         "no prefix",
		"WHSEC_" + encoded(32):              "prefix in another case",
		"whsec_":                            "no key",
		"whsec_" + encoded(23):              "key too short",
		"whsec_" + encoded(65):              "key too long",
		"whsec_" + strings.Repeat("-", 44):  "base64url",
		"whsec_" + encoded(32) + "\n":       "line break",
		"whsec_" + encoded(32)[:42] + "B=":  "other spelling of the same bytes",
		"whsec_" + strings.Repeat("A", 9e6): "huge",
	} {
		_, err := webhook.ParseSecret(text)
		require.ErrorIs(t, err, asset.ErrInvalid, reason)
		require.NotContains(t, err.Error(), "AAAA", reason)
	}
	for _, n := range []int{24, 32, 64} {
		secret, err := webhook.ParseSecret("whsec_" + encoded(n))
		require.NoError(t, err)
		require.Equal(t, "whsec_"+encoded(n), secret.Reveal())
	}
}

func FuzzParseSecret(f *testing.F) {
	f.Add("whsec_" + encoded(32))
	f.Add(webhook.GenerateSecret().Reveal())
	f.Fuzz(func(t *testing.T, text string) {
		secret, err := webhook.ParseSecret(text)
		if err != nil {
			require.True(t, secret.IsZero())
			return
		}
		require.Equal(t, text, secret.Reveal())
		require.NotEmpty(t, webhook.Message{}.Sign(start(), secret))
	})
}

func TestGenerateSecret(t *testing.T) {
	t.Parallel()
	secret := webhook.GenerateSecret()
	parsed, err := webhook.ParseSecret(secret.Reveal())
	require.NoError(t, err)
	require.Equal(t, secret, parsed)
	require.NotEqual(t, secret, webhook.GenerateSecret())
	require.Len(t, secret.Reveal(), len("whsec_")+44)
}

func TestSecret_IsNeverShown(t *testing.T) {
	t.Parallel()
	e := webhook.Endpoint{Secret: webhook.GenerateSecret(), OldSecret: webhook.GenerateSecret()}
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d"} {
		fmt.Fprintf(&out, verb+verb+verb, e, &e, e.Secret)
	}
	for _, logger := range []*slog.Logger{slog.New(slog.NewTextHandler(&out, nil)), slog.New(slog.NewJSONHandler(&out, nil))} {
		logger.Info("endpoint", "endpoint", e, "secret", e.Secret)
	}
	require.NoError(t, json.NewEncoder(&out).Encode([]any{e, e.Secret, map[string]any{"secret": e.Secret}}))
	require.Contains(t, out.String(), "[secret]")
	for _, secret := range []webhook.Secret{e.Secret, e.OldSecret} {
		key := strings.TrimPrefix(secret.Reveal(), "whsec_")
		require.NotContains(t, out.String(), key)
		require.NotContains(t, strings.ToLower(out.String()), fmt.Sprintf("%x", secret.Reveal()))
	}
}

// Operators never see a secret again, nor the lease, by which a sender records outcomes.
func TestService_HidesSecrets(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	created, secret, err := f.Create(t.Context(), request())
	require.NoError(t, err)
	require.Equal(t, f.stored(created.ID).Secret, secret)
	_, err = f.Rotate(t.Context(), created.ID)
	require.NoError(t, err)
	f.change(1)
	f.attempt(f.stored(created.ID))
	shown := []webhook.Endpoint{created}
	for _, call := range []func() (webhook.Endpoint, error){
		func() (webhook.Endpoint, error) { return f.Get(t.Context(), created.ID) },
		func() (webhook.Endpoint, error) { return f.Pause(t.Context(), created.ID) },
		func() (webhook.Endpoint, error) { return f.Resume(t.Context(), created.ID) },
		func() (webhook.Endpoint, error) { return f.Replay(t.Context(), created.ID, f.now) },
	} {
		e, err := call()
		require.NoError(t, err)
		shown = append(shown, e)
	}
	for e, err := range f.All(t.Context()) {
		require.NoError(t, err)
		shown = append(shown, e)
	}
	require.Len(t, shown, 6)
	for _, e := range shown {
		require.Equal(t, created.ID, e.ID)
		require.True(t, e.Secret.IsZero() && e.OldSecret.IsZero() && e.Lease == "", "%+v", e)
	}
}
