package storagetest

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/webhook"
)

func endpointChecks() []requirement {
	return []requirement{
		{"every field of an endpoint is read back", func(p *probe) {
			given := fullEndpoint()
			given.ID = 77
			want := given
			want.ID = 1
			require.Equal(p, want, p.addEndpoint(given), "the given ID is ignored")
			require.Equal(p, want, p.endpoint(1))
			require.Equal(p, []webhook.Endpoint{want}, p.endpoints())

			plain := newEndpoint("https://plain.example")
			plain.ID = p.addEndpoint(plain).ID
			got := p.endpoint(plain.ID)
			require.Empty(p, got.Filter.Types)
			require.Empty(p, got.Filter.Statuses)
			got.Filter = webhook.Filter{}
			require.Equal(p, plain, got)
		}},
		{"an update receives the stored endpoint and stores every field but ID and CreatedAt", func(p *probe) {
			first, second := p.addEndpoint(newEndpoint("https://a.example")), p.addEndpoint(newEndpoint("https://b.example"))
			want := fullEndpoint()
			var old webhook.Endpoint
			got := p.updateEndpoint(first.ID, func(e *webhook.Endpoint) {
				old, *e = *e, want
				e.ID, e.CreatedAt = second.ID, at(99)
			})
			require.Equal(p, first.URL, old.URL)
			require.Equal(p, first.Secret, old.Secret)
			want.ID, want.CreatedAt = first.ID, first.CreatedAt
			require.Equal(p, want, got)
			require.Equal(p, want, p.endpoint(first.ID))
			require.Equal(p, second.URL, p.endpoint(second.ID).URL)
		}},
		{"the error of an update is returned unchanged, and nothing is stored", func(p *probe) {
			want := p.addEndpoint(fullEndpoint())
			for _, refusal := range []error{errRefused, webhook.ErrNotDue, fmt.Errorf("wrapped: %w", webhook.ErrNotFound)} {
				got, err := p.UpdateEndpoint(p.Context(), want.ID, func(old webhook.Endpoint) (webhook.Endpoint, error) {
					old.URL = "changed"
					return old, refusal
				}, audit.Entry{})
				require.Equal(p, refusal, err)
				require.Zero(p, got)
				require.Equal(p, want, p.endpoint(want.ID))
			}
		}},
		{"a removed endpoint is gone, and its ID is not used again", func(p *probe) {
			first, second := p.addEndpoint(newEndpoint("https://a.example")), p.addEndpoint(dueEndpoint(at(1)))
			require.NoError(p, p.RemoveEndpoint(p.Context(), second.ID, audit.Entry{}))
			p.noEndpoint(second.ID)
			require.Equal(p, []int64{first.ID}, endpointIDs(p.endpoints()))
			require.Equal(p, []int64{first.ID}, p.due(webhook.DueCursor{}, at(10)))
			require.ErrorIs(p, p.RemoveEndpoint(p.Context(), second.ID, audit.Entry{}), webhook.ErrNotFound)
			require.Greater(p, p.addEndpoint(newEndpoint("https://c.example")).ID, second.ID)
		}},
		{"an unknown endpoint is not found", func(p *probe) {
			p.addEndpoint(newEndpoint("https://a.example"))
			p.noEndpoint(2)
			require.ErrorIs(p, p.RemoveEndpoint(p.Context(), 2, audit.Entry{}), webhook.ErrNotFound)
			_, err := p.UpdateEndpoint(p.Context(), 2, func(webhook.Endpoint) (webhook.Endpoint, error) {
				return webhook.Endpoint{}, errors.New("must not be called")
			}, audit.Entry{})
			require.ErrorIs(p, err, webhook.ErrNotFound)
		}},
		{"pages of endpoints are limited by bytes", func(p *probe) {
			requirePagesByBytes(p, func(sizes []int) {
				for _, size := range sizes {
					e := newEndpoint("")
					e.URL = strings.Repeat("f", size-e.PageBytes())
					p.addEndpoint(e)
				}
			}, func(last webhook.Endpoint) step.Page[webhook.Endpoint] { return p.endpointPage(last.ID, noLimit) })
		}},
		{"an endpoint is due at DueAt and later, if it is ACTIVE", func(p *probe) {
			e := p.addEndpoint(dueEndpoint(at(5)))
			require.Empty(p, p.due(webhook.DueCursor{}, at(4)))
			require.Empty(p, p.due(webhook.DueCursor{}, at(5).Add(-time.Nanosecond)))
			require.Equal(p, []int64{e.ID}, p.due(webhook.DueCursor{}, at(5)))
			require.Equal(p, []int64{e.ID}, p.due(webhook.DueCursor{At: at(5)}, maxTime))
			require.Empty(p, p.due(webhook.DueCursor{At: at(5), ID: e.ID}, maxTime))
			require.Empty(p, p.due(webhook.DueCursor{At: at(5).Add(time.Nanosecond)}, maxTime))
			require.Equal(p, []int64{e.ID}, p.due(webhook.DueCursor{At: at(5).Add(-time.Nanosecond), ID: asset.MaxID}, maxTime))
			for _, state := range []webhook.State{webhook.StatePaused, webhook.StateDisabled} {
				p.updateEndpoint(e.ID, func(e *webhook.Endpoint) { e.State = state })
				require.Empty(p, p.due(webhook.DueCursor{}, maxTime), state)
			}
			p.updateEndpoint(e.ID, func(e *webhook.Endpoint) { e.State, e.DueAt = webhook.StateActive, at(6) })
			require.Empty(p, p.due(webhook.DueCursor{}, at(5)))
			require.Equal(p, []int64{e.ID}, p.due(webhook.DueCursor{}, at(6)))
		}},
	}
}

func endpointConcurrencyChecks() []requirement {
	return []requirement{
		{"one of 16 senders takes an endpoint", func(p *probe) {
			service := webhook.NewService(p, p, p, webhook.Options{Clock: func() time.Time { return at(10) }})
			for range 4 {
				seen := p.addEndpoint(newEndpoint("https://a.example"))
				p.oneSucceeds(concurrently(16, func(int) error {
					_, err := service.Take(p.Context(), seen, webhook.Choice{Batch: webhook.Batch{First: 1, Last: 1}})
					return err
				}), webhook.ErrNotDue)
			}
		}},
		{"no concurrent update of an endpoint is lost", func(p *probe) {
			const updates = 24
			e := p.addEndpoint(newEndpoint("https://a.example"))
			p.allSucceed(concurrently(updates, func(int) error {
				_, err := p.UpdateEndpoint(p.Context(), e.ID, func(old webhook.Endpoint) (webhook.Endpoint, error) {
					old.Failures++
					return old, nil
				}, audit.Entry{})
				return err
			}))
			require.Equal(p, updates, p.endpoint(e.ID).Failures)
		}},
		{"endpoints that are added concurrently have different IDs", func(p *probe) {
			const added = 16
			p.allSucceed(concurrently(added, func(int) error {
				_, err := p.AddEndpoint(p.Context(), newEndpoint("https://a.example"), audit.Entry{})
				return err
			}))
			require.Len(p, p.endpoints(), added)
		}},
	}
}
