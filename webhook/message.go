package webhook

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/apguard/apguard/asset"
)

// The bounds of a message. A single change is sent even if it is larger than MaxBody.
const (
	MaxChanges = 100
	MaxBody    = 20_000 // the body is smaller
)

// EventTest is the kind of event of a test message. Its data is empty. Every endpoint receives it.
const EventTest = "webhook.test"

const (
	bodyEnd = `]}}`
	// bodyStart is the length of the body before its changes.
	bodyStart = len(`{"type":"asset.status_changed","timestamp":"2006-01-02T15:04:05.000Z","data":{"changes":[`)
)

// statusMessage returns the message for changes, of which there is at least one. Its time is that
// of the last change, so it is the same for each attempt.
func statusMessage(id string, changes []asset.Change) Message {
	body := appendStart(nil, string(EventStatusChanged), changes[len(changes)-1].At)
	body = append(body, `{"changes":[`...)
	for i, change := range changes {
		if i > 0 {
			body = append(body, ',')
		}
		body = appendChange(body, change)
	}
	return Message{ID: id, Body: append(body, bodyEnd...)}
}

// TestMessage returns a message by which a receiver can be tried. It has no changes. Each has
// another ID.
func TestMessage(at time.Time) Message {
	body := appendStart(nil, EventTest, at)
	return Message{ID: "msg_test_" + rand.Text(), Body: append(body, `{}}`...)}
}

// appendStart appends the body up to its data.
func appendStart(b []byte, event string, at time.Time) []byte {
	b = append(append(b, `{"type":"`...), event...)
	b = append(b, `","timestamp":"`...)
	b = appendTime(b, at)
	return append(b, `","data":`...)
}

// appendChange appends a change as the changelog has it over HTTP. Types and statuses need no
// quoting in JSON.
func appendChange(b []byte, change asset.Change) []byte {
	b = append(b, `{"assetId":`...)
	b = strconv.AppendInt(b, change.AssetID, 10)
	b = append(append(b, `,"type":"`...), change.Type...)
	b = append(b, `","content":`...)
	b, _ = jsontext.AppendQuote(b, change.Content) // fails on invalid UTF-8 only, which is never stored
	b = append(append(b, `,"fromStatus":"`...), change.From...)
	b = append(append(b, `","toStatus":"`...), change.To...)
	b = append(b, `","updatedAt":"`...)
	return append(appendTime(b, change.At), `"}`...)
}

func appendTime(b []byte, at time.Time) []byte {
	return at.UTC().AppendFormat(b, "2006-01-02T15:04:05.000Z")
}

// messageID returns the ID of the message that sends a batch to the endpoint. It depends on
// nothing that differs between attempts or servers.
func (e Endpoint) messageID(store asset.StoreID, batch Batch) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%x/%d/%d/%d/%d", store, e.ID, e.Replays, batch.First, batch.Last))
	return "msg_" + base64.RawURLEncoding.EncodeToString(sum[:18])
}
