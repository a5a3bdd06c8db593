package request

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/webhook"
)

// maxChosen is more than the number of values from which a webhook can choose.
const maxChosen = 100

// ListWebhooks decodes GET /webhook/list for operators.
func (c Call) ListWebhooks() (webhook.ListRequest, error) {
	f := c.query("cursor", "limit")
	return webhook.ListRequest{After: f.cursor(), Limit: f.limit(webhook.MaxLimit)}, f.join()
}

// GetWebhook decodes GET /webhook/get for operators.
func (c Call) GetWebhook() (id int64, err error) { return c.queryID("id") }

// CreateWebhook decodes POST /webhook/create for operators. private is AllowPrivate of
// [webhook.Options].
func (c Call) CreateWebhook(private bool) (webhook.CreateRequest, error) {
	f := c.unrepeatable("webhooks", "url", "events", "filter")
	request := webhook.CreateRequest{URL: f.text("url"), Events: chosen[webhook.EventType](&f, "events")}
	f.within("filter", func(f *fields) {
		request.Filter.Types = chosen[asset.Type](f, "types")
		request.Filter.Statuses = chosen[asset.Status](f, "statuses")
	}, "types", "statuses")
	return request, f.join(request.Validate(private))
}

// ChangeWebhook decodes POST /webhook/pause, /webhook/resume, /webhook/rotate, /webhook/test and
// /webhook/remove for operators.
func (c Call) ChangeWebhook() (id int64, err error) { return c.unrepeatableID("webhooks") }

// WebhookReplay says from when on a webhook receives its changes again.
type WebhookReplay struct {
	ID int64
	// From is zero for the beginning.
	From time.Time
}

// ReplayWebhook decodes POST /webhook/replay for operators.
func (c Call) ReplayWebhook() (WebhookReplay, error) {
	f := c.unrepeatable("webhooks", "id", "from")
	return WebhookReplay{ID: f.requiredID("id"), From: one(&f, "from", asTime)}, f.join()
}

// within decodes an optional object with fields of the names, and adds its issues with its name.
func (f *fields) within(name string, decode func(*fields), names ...string) {
	members, _ := f.source.(object)
	text := members.value(name)
	switch text.Kind() {
	case jsontext.KindBeginObject:
	case jsontext.KindInvalid, jsontext.KindNull:
		return
	default:
		f.add(name, "must be an object")
		return
	}
	before := len(f.issues)
	inner := fields{issues: f.issues}
	members, _ = readObject(uncheckedDecoder(text), text, nil, nameRule{fields: names}, &inner.issues)
	inner.source = members
	decode(&inner)
	f.issues = inner.issues
	for i := range f.issues[before:] {
		f.issues[before+i].Field = name + "." + f.issues[before+i].Field
	}
}

// chosen decodes a list of values.
func chosen[T ~string](f *fields, name string) []T {
	texts := f.nonEmptyList(name, maxChosen)
	values := make([]T, len(texts))
	for i, text := range texts {
		values[i] = T(text)
	}
	return values
}
