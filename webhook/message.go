package webhook

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strconv"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/internal/wire"
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
		body = wire.AppendChange(body, change)
	}
	return Message{ID: id, Body: append(body, bodyEnd...)}
}

// disputeMessage returns the message for an event of a dispute.
func disputeMessage(id string, event dispute.Event) Message {
	b := appendStart(nil, string(disputeEvent(event)), event.At)
	b = append(b, `{"disputeId":`...)
	b = strconv.AppendInt(b, event.DisputeID, 10)
	b = append(b, `,"state":"`...)
	b = append(b, event.State...)
	b = append(b, `","assetId":`...)
	b = strconv.AppendInt(b, event.AssetID, 10)
	b = append(b, `,"type":"`...)
	b = append(b, event.Type...)
	b = append(b, `","content":`...)
	b = wire.AppendText(b, event.Canonical)
	return Message{ID: id, Body: append(b, `}}`...)}
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
	b = wire.AppendTime(b, at)
	return append(b, `","data":`...)
}

// messageID returns the ID of the message that sends a batch to the endpoint. It depends on
// nothing that differs between attempts or servers.
func (e Endpoint) messageID(store asset.StoreID, batch Batch) string {
	kind := ""
	if batch.Dispute {
		kind = "dispute/"
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%x/%d/%d/%s%d/%d", store, e.ID, e.Replays, kind, batch.First, batch.Last))
	return "msg_" + base64.RawURLEncoding.EncodeToString(sum[:18])
}
