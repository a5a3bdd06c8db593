package client

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/apguard/apguard/webhook"
)

type webhookAnswer struct{ webhook.Endpoint }

func (a *webhookAnswer) validate() error { return validateWebhook(a.Endpoint) }

func validateWebhook(endpoint webhook.Endpoint) error {
	if endpoint.URL == "" || endpoint.State == "" {
		return responseError("a webhook is incomplete")
	}
	return errors.Join(validateID(endpoint.ID), validateAll(endpoint.Filter.Statuses, validateStatus))
}

type webhooksPage struct {
	Webhooks   []webhook.Endpoint `json:"webhooks"`
	NextCursor int64              `json:"nextCursor"`
}

func (p *webhooksPage) validate() error {
	return validatePage(p.Webhooks, validateWebhook, p.NextCursor)
}

// Webhooks yields all webhooks, ordered by ID, page by page. As everywhere in an [Operator], they have no secrets and
// not their places in the feed: their Secret, OldSecret, Place, Batch, Replays and Lease are zero.
func (o *Operator) Webhooks(ctx context.Context) iter.Seq2[webhook.Endpoint, error] {
	const path = "/webhook/list"
	return pages("GET "+path, 0, func(cursor int64) ([]webhook.Endpoint, int64, error) {
		page, err := getPage[webhooksPage](ctx, o.sender, path, pageQuery(cursor, webhook.MaxLimit))
		return page.Webhooks, page.NextCursor, err
	})
}

// Webhook returns a webhook. The error matches [ErrNotFound] if there is none with the ID.
func (o *Operator) Webhook(ctx context.Context, id int64) (webhook.Endpoint, error) {
	answer, err := getPage[webhookAnswer](ctx, o.sender, "/webhook/get", idQuery("id", id))
	return answer.Endpoint, err
}

// CreatedWebhook is a new webhook.
type CreatedWebhook struct {
	webhook.Endpoint
	// SecretText is the text of the secret, which cannot be read again. The receiver verifies messages with it.
	SecretText string `json:"secret"`
}

func (w *CreatedWebhook) validate() error {
	if err := validateSecret(w.SecretText); err != nil {
		return err
	}
	return validateWebhook(w.Endpoint)
}

func validateSecret(text string) error {
	if text == "" {
		return responseError("it has no secret")
	}
	return nil
}

// CreateWebhook creates a webhook, which receives the events from then on.
func (o *Operator) CreateWebhook(ctx context.Context, req webhook.CreateRequest) (CreatedWebhook, error) {
	return change[CreatedWebhook](ctx, o, "/webhook/create", struct {
		URL    string              `json:"url"`
		Events []webhook.EventType `json:"events"`
		Filter webhook.Filter      `json:"filter,omitzero"`
	}(req))
}

// PauseWebhook makes a webhook receive nothing until ResumeWebhook. The error matches [ErrNotFound] if there is none
// with the ID.
func (o *Operator) PauseWebhook(ctx context.Context, id int64) (webhook.Endpoint, error) {
	return o.changeWebhook(ctx, "/webhook/pause", idBody{id})
}

// ResumeWebhook makes a webhook that is paused or disabled receive the events since it last did. The error matches
// [ErrNotFound] if there is none with the ID.
func (o *Operator) ResumeWebhook(ctx context.Context, id int64) (webhook.Endpoint, error) {
	return o.changeWebhook(ctx, "/webhook/resume", idBody{id})
}

// ReplayWebhook makes a webhook receive the events from a time on again, and from the beginning if it is zero. The
// error matches [ErrNotFound] if there is none with the ID.
func (o *Operator) ReplayWebhook(ctx context.Context, id int64, from time.Time) (webhook.Endpoint, error) {
	return o.changeWebhook(ctx, "/webhook/replay", struct {
		ID   int64     `json:"id"`
		From time.Time `json:"from,omitzero"`
	}{id, from})
}

func (o *Operator) changeWebhook(ctx context.Context, path string, body any) (webhook.Endpoint, error) {
	answer, err := change[webhookAnswer](ctx, o, path, body)
	return answer.Endpoint, err
}

type rotatedWebhook struct {
	ID     int64  `json:"id"`
	Secret string `json:"secret"`
	// rotated is the ID in the request.
	rotated int64
}

func (r *rotatedWebhook) validate() error {
	if r.ID != r.rotated {
		return responseError("another webhook was rotated")
	}
	return validateSecret(r.Secret)
}

// RotateWebhook gives a webhook a new secret, and returns its text, which cannot be read again. The old one signs
// messages too for [webhook.RotationTime]. The error matches [ErrNotFound] if there is none with the ID.
func (o *Operator) RotateWebhook(ctx context.Context, id int64) (secret string, err error) {
	call, err := writeOnce("/webhook/rotate", idBody{id})
	if err != nil {
		return "", err
	}
	answer, err := fetch(ctx, o.sender, call, func(*response) rotatedWebhook { return rotatedWebhook{rotated: id} })
	return answer.Secret, err
}

type outcomeAnswer struct{ webhook.Outcome }

func (a *outcomeAnswer) validate() error {
	if a.Outcome == (webhook.Outcome{}) {
		return responseError("it has no outcome")
	}
	return nil
}

// TestWebhook sends a test message to a webhook and returns the outcome. The error matches [ErrNotFound] if there is
// none with the ID, or if the server sends no test messages.
func (o *Operator) TestWebhook(ctx context.Context, id int64) (webhook.Outcome, error) {
	answer, err := change[outcomeAnswer](ctx, o, "/webhook/test", idBody{id})
	return answer.Outcome, err
}

// RemoveWebhook removes a webhook. The error matches [ErrNotFound] if there is none with the ID.
func (o *Operator) RemoveWebhook(ctx context.Context, id int64) error {
	return o.remove(ctx, "/webhook/remove", id, idBody{id})
}
