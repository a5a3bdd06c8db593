package conformance_test

import (
	"crypto/hmac"
	"strconv"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/webhook"
)

// delivery is what the rule of webhooks is given: a message to sign, which has an ID and a time, or headers
// that a receiver is to verify at a time.
type delivery struct {
	Secrets []string          `json:"secrets"`
	ID      string            `json:"id,omitempty"`
	At      int64             `json:"at,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
	Now     int64             `json:"now,omitempty"`
	Body    string            `json:"body"`
}

// verified is the answer of the rule of webhooks: the headers of a message, whether the receiver accepts it,
// or what is wrong: SECRET, TIMESTAMP or SIGNATURE.
type verified struct {
	Headers  map[string]string `json:"headers,omitempty"`
	Accepted bool              `json:"accepted,omitempty"`
	Refused  string            `json:"refused,omitempty"`
}

// tolerance is how far the time of a message may be from the clock of the receiver, in seconds, as in the
// libraries of the specification.
const tolerance = 300

func verify(_ require.TestingT, d delivery) verified {
	var secrets []webhook.Secret
	for _, text := range d.Secrets {
		secret, err := webhook.ParseSecret(text)
		if err != nil {
			return verified{Refused: "SECRET"}
		}
		secrets = append(secrets, secret)
	}
	message := webhook.Message{ID: d.ID, Body: []byte(d.Body)}
	if d.Headers == nil {
		return verified{Headers: message.Headers(time.Unix(d.At, 0), secrets...)}
	}
	at, err := strconv.ParseInt(d.Headers[webhook.HeaderTimestamp], 10, 64)
	if err != nil || max(d.Now-at, at-d.Now) > tolerance {
		return verified{Refused: "TIMESTAMP"}
	}
	message.ID = d.Headers[webhook.HeaderID]
	for _, secret := range secrets {
		want := message.Sign(time.Unix(at, 0), secret)
		for _, got := range strings.Fields(d.Headers[webhook.HeaderSignature]) {
			if hmac.Equal([]byte(want), []byte(got)) {
				return verified{Accepted: true}
			}
		}
	}
	return verified{Refused: "SIGNATURE"}
}
