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
	"github.com/apguard/apguard/pending"
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

// statusBody returns the body for changes, of which there is at least one. Its time is that of the
// last change, so it is the same for each attempt.
func statusBody(changes []asset.Change) []byte {
	body := startOf(string(EventStatusChanged), changes[len(changes)-1].At)
	body = append(body, `{"changes":[`...)
	for i, change := range changes {
		if i > 0 {
			body = append(body, ',')
		}
		body = wire.AppendFeedChange(body, change)
	}
	return append(body, bodyEnd...)
}

// disputeBody returns the body for an event of a dispute.
func disputeBody(event dispute.Event) []byte {
	b := startOf(string(disputeEvent(event)), event.At)
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
	return append(b, `}}`...)
}

// actBody returns the body for an act. It has no texts of operators but the name of a list.
func actBody(act pending.Act) []byte {
	b := startOf(string(EventPendingCreated), act.CreatedAt)
	b = append(b, `{"id":`...)
	b = strconv.AppendInt(b, act.ID, 10)
	b = append(append(append(b, `,"kind":"`...), act.Kind...), `","assets":`...)
	b = strconv.AppendInt(b, int64(len(act.Assets)), 10)
	b = append(b, `,"list":`...)
	if act.List == nil {
		b = append(b, "null"...)
	} else {
		b = wire.AppendText(b, act.List.Name)
	}
	b = append(b, `,"expiresAt":"`...)
	b = wire.AppendTime(b, act.ExpiresAt)
	return append(b, `"}}`...)
}

// TestMessage returns a message by which a receiver can be tried. It has no changes. Each has
// another ID.
func TestMessage(at time.Time) Message {
	body := startOf(EventTest, at)
	return Message{ID: "msg_test_" + rand.Text(), Body: append(body, `{}}`...)}
}

// startOf returns a body up to its data.
func startOf(event string, at time.Time) []byte {
	b := append([]byte(`{"type":"`), event...)
	b = append(b, `","timestamp":"`...)
	b = wire.AppendTime(b, at)
	return append(b, `","data":`...)
}

// message returns the message with a body. Its ID depends on nothing that differs between attempts or
// servers. It depends on the body because after a failover that lost commits, other changes take the
// positions of the lost ones.
func (e Endpoint) message(store asset.StoreID, batch Batch, body []byte) Message {
	hash := sha256.New()
	_, _ = fmt.Fprintf(hash, "%x/%d/%d/%d/%d/%t/", store, e.ID, e.Replays, batch.First, batch.Last, batch.Dispute)
	if batch.Act {
		_, _ = hash.Write([]byte("act/"))
	}
	_, _ = hash.Write(body) // never fails
	return Message{ID: "msg_" + base64.RawURLEncoding.EncodeToString(hash.Sum(nil)[:18]), Body: body}
}
