package httpapi

import (
	"context"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/request"
	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/webhook"
)

type webhooksResponse struct {
	Webhooks   []webhookResponse `json:"webhooks"`
	NextCursor *int64            `json:"nextCursor"`
}

// webhookResponse is an endpoint without its place in the feed.
type webhookResponse struct {
	ID             int64               `json:"id"`
	URL            string              `json:"url"`
	Events         []webhook.EventType `json:"events"`
	Filter         webhookFilter       `json:"filter"`
	State          webhook.State       `json:"state"`
	DisabledBy     *webhook.Reason     `json:"disabledBy"`
	CreatedAt      string              `json:"createdAt"`
	OldSecretUntil *string             `json:"oldSecretUntil"`
	Failures       int                 `json:"failures"`
	FailingSince   *string             `json:"failingSince"`
	// Last and LastAt are null before the first request.
	Last          *webhookOutcome `json:"last"`
	LastAt        *string         `json:"lastAt"`
	LastSuccessAt *string         `json:"lastSuccessAt"`
	DueAt         *string         `json:"dueAt"`
}

// webhookFilter is a filter whose fields are always there.
type webhookFilter struct {
	Types    []asset.Type   `json:"types"`
	Statuses []asset.Status `json:"statuses"`
}

type webhookOutcome struct {
	// Status is null without a response.
	Status  *int             `json:"status"`
	Failure *webhook.Failure `json:"failure"`
}

type createdWebhook struct {
	webhookResponse
	Secret string `json:"secret"`
}

type rotatedWebhook struct {
	ID     int64  `json:"id"`
	Secret string `json:"secret"`
}

type removedWebhook struct {
	ID int64 `json:"id"`
}

// endpointSecret is a new secret of an endpoint. Only responses to the operations that make one show
// it.
type endpointSecret struct {
	endpoint webhook.Endpoint
	secret   webhook.Secret
}

// webhookOperations returns the operations on webhooks. They store no idempotency keys, because the
// response to a repeated request would show a secret again. Without a function that sends test
// messages, there is no operation for it.
func (o operator) webhookOperations(test func(context.Context, int64) (webhook.Outcome, error)) []operation {
	webhooks := o.guard.Webhooks
	create := func(c request.Call) (webhook.CreateRequest, error) { return c.CreateWebhook(webhooks.AllowPrivate()) }
	operations := []operation{
		operatorRead("/webhook/list", answerJSON(request.Call.ListWebhooks, webhooks.List, newWebhooksResponse)),
		operatorRead("/webhook/get", answerJSON(request.Call.GetWebhook, webhooks.Get, newWebhookResponse)),
		operatorWrite("/webhook/create", answerJSON(create, o.createWebhook, newCreatedWebhook)),
		operatorWrite("/webhook/pause", answerJSON(request.Call.ChangeWebhook, webhooks.Pause, newWebhookResponse)),
		operatorWrite("/webhook/resume", answerJSON(request.Call.ChangeWebhook, webhooks.Resume, newWebhookResponse)),
		operatorWrite("/webhook/rotate", answerJSON(request.Call.ChangeWebhook, o.rotateWebhook, newRotatedWebhook)),
		operatorWrite("/webhook/replay", answerJSON(request.Call.ReplayWebhook, o.replayWebhook, newWebhookResponse)),
		operatorWrite("/webhook/remove", answerJSON(request.Call.ChangeWebhook, removing(o.guard.Webhooks.Remove), newRemovedWebhook)),
	}
	if test != nil {
		operations = append(operations, costlyWrite("/webhook/test", answerJSON(request.Call.ChangeWebhook, test, newWebhookOutcome)))
	}
	return operations
}

func (o operator) createWebhook(ctx context.Context, req webhook.CreateRequest) (created endpointSecret, err error) {
	created.endpoint, created.secret, err = o.guard.Webhooks.Create(ctx, req)
	return created, err
}

func (o operator) rotateWebhook(ctx context.Context, id int64) (rotated endpointSecret, err error) {
	rotated.endpoint.ID = id
	rotated.secret, err = o.guard.Webhooks.Rotate(ctx, id)
	return rotated, err
}

func (o operator) replayWebhook(ctx context.Context, replay request.WebhookReplay) (webhook.Endpoint, error) {
	return o.guard.Webhooks.Replay(ctx, replay.ID, replay.From)
}

func newWebhooksResponse(page step.Page[webhook.Endpoint]) webhooksResponse {
	response := webhooksResponse{Webhooks: mapped(page.Items, newWebhookResponse)}
	if page.More {
		response.NextCursor = &response.Webhooks[len(response.Webhooks)-1].ID
	}
	return response
}

func newCreatedWebhook(e endpointSecret) createdWebhook {
	return createdWebhook{newWebhookResponse(e.endpoint), e.secret.Reveal()}
}

func newRotatedWebhook(e endpointSecret) rotatedWebhook {
	return rotatedWebhook{e.endpoint.ID, e.secret.Reveal()}
}

func newWebhookResponse(e webhook.Endpoint) webhookResponse {
	response := webhookResponse{
		ID:             e.ID,
		URL:            e.URL,
		Events:         e.Events,
		Filter:         webhookFilter{e.Filter.Types, e.Filter.Statuses},
		State:          e.State,
		DisabledBy:     known(e.DisabledBy),
		CreatedAt:      timestamp(e.CreatedAt),
		OldSecretUntil: knownTime(e.OldSecretUntil),
		Failures:       e.Failures,
		FailingSince:   knownTime(e.FailingSince),
		LastAt:         knownTime(e.LastAt),
		LastSuccessAt:  knownTime(e.LastSuccessAt),
		DueAt:          knownTime(e.DueAt),
	}
	if !e.LastAt.IsZero() {
		last := newWebhookOutcome(e.Last)
		response.Last = &last
	}
	return response
}

func newRemovedWebhook(id int64) removedWebhook { return removedWebhook{id} }

func newWebhookOutcome(o webhook.Outcome) webhookOutcome {
	return webhookOutcome{known(o.Status), known(o.Failure)}
}
