package storagetest

import (
	"context"
	"runtime"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/webhook"
)

// functionChecks test the methods that take a function. After fill, each call succeeds and
// its function calls during first.
func functionChecks() []requirement {
	var checks []requirement
	for method, call := range map[string]func(ctx context.Context, store storage.Store, during func()) error{
		"UpdateKey": func(ctx context.Context, store storage.Store, during func()) error {
			_, err := store.UpdateKey(ctx, account.HashKey("key"), func(old account.Key) (account.KeyUpdate, error) {
				during()
				old.Name = "new"
				return account.KeyUpdate{Key: old}, nil
			})
			return err
		},
		"UpdateUserKeys": func(ctx context.Context, store storage.Store, during func()) error {
			_, err := store.UpdateUserKeys(ctx, 1, func(old account.Key) account.KeyUpdate {
				during()
				return renamedKey(old)
			})
			return err
		},
		"UpdateOrganization": func(ctx context.Context, store storage.Store, during func()) error {
			_, err := store.UpdateOrganization(ctx, 1, func(old account.Organization) (account.Organization, audit.Entry) {
				during()
				return renamedOrganization(old)
			})
			return err
		},
		"UpdateUser": func(ctx context.Context, store storage.Store, during func()) error {
			_, err := store.UpdateUser(ctx, 1, func(old account.User) (account.User, audit.Entry) {
				during()
				return renamedUser(old)
			})
			return err
		},
		"UpdateDispute": func(ctx context.Context, store storage.Store, during func()) error {
			_, err := store.UpdateDispute(ctx, dispute.UpdateCommand{DisputeID: 1, Apply: func(d dispute.Dispute) (dispute.Update, error) {
				during()
				return acceptance(1, asset.StatusAllowed, at(10)).Apply(d)
			}})
			return err
		},
		"PutList": func(ctx context.Context, store storage.Store, during func()) error {
			_, err := store.PutList(ctx, "new", func(lists.List, int) (lists.List, audit.Entry, error) {
				during()
				return newList("new"), act(), nil
			})
			return err
		},
		"PutList of a list that exists": func(ctx context.Context, store storage.Store, during func()) error {
			_, err := store.PutList(ctx, "one", func(old lists.List, _ int) (lists.List, audit.Entry, error) {
				during()
				old.Begun++
				return old, audit.Entry{}, nil
			})
			return err
		},
		"UpdateEndpoint": func(ctx context.Context, store storage.Store, during func()) error {
			_, err := store.UpdateEndpoint(ctx, 1, func(old webhook.Endpoint) (webhook.Endpoint, error) {
				during()
				old.Failures++
				return old, nil
			}, audit.Entry{})
			return err
		},
	} {
		for way, end := range map[string]func(p *probe){
			"the context ends during its function": func(p *probe) {
				ctx, cancel := context.WithCancel(p.Context())
				defer cancel()
				require.ErrorIs(p, call(ctx, p.Store, cancel), context.Canceled)
			},
			"its function panics, which the caller can recover": func(p *probe) {
				require.PanicsWithValue(p, "broken", func() {
					_ = call(p.Context(), p.Store, func() { panic("broken") })
				})
			},
			"its function ends the goroutine": func(p *probe) {
				returned, ended := false, make(chan struct{})
				go func() {
					defer close(ended)
					_ = call(p.Context(), p.Store, runtime.Goexit)
					returned = true
				}()
				<-ended
				require.False(p, returned, "the goroutine of the caller must end")
			},
		} {
			checks = append(checks, requirement{method + " stores nothing if " + way, func(p *probe) {
				p.fill()
				before := p.snapshot()
				end(p)
				require.Equal(p, before, p.snapshot())
				require.NoError(p, call(p.Context(), p.Store, func() {}), "the store must remain usable")
			}})
		}
	}
	return checks
}
