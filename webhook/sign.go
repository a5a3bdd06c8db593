package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
	"time"
)

// The headers of a request.
const (
	HeaderID        = "webhook-id"
	HeaderTimestamp = "webhook-timestamp"
	HeaderSignature = "webhook-signature"
)

// Message is what an endpoint receives.
type Message struct {
	// ID is the same for each attempt.
	ID   string
	Body []byte
}

// Sign returns the value of [HeaderSignature] for an attempt at that time: a signature for each
// secret, separated by spaces. A receiver accepts the message if it knows one of the secrets.
func (m Message) Sign(at time.Time, secrets ...Secret) string {
	signatures := make([]string, len(secrets))
	for i, secret := range secrets {
		mac := hmac.New(sha256.New, secret.key())
		mac.Write([]byte(m.ID + "." + timestamp(at) + "."))
		mac.Write(m.Body)
		signatures[i] = "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	}
	return strings.Join(signatures, " ")
}

// Headers returns the headers of a request that sends the message at that time, by name.
func (m Message) Headers(at time.Time, secrets ...Secret) map[string]string {
	return map[string]string{
		HeaderID:        m.ID,
		HeaderTimestamp: timestamp(at),
		HeaderSignature: m.Sign(at, secrets...),
	}
}

// timestamp returns the value of [HeaderTimestamp]: the seconds since 1970.
func timestamp(at time.Time) string { return strconv.FormatInt(at.Unix(), 10) }
