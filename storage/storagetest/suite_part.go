package storagetest

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/webhook"
)

// Part is a part of the contract that [RunPart] tests separately. The parts are listed
// in the order in which an adapter should implement them.
type Part string

// The parts, with the interfaces that each requires. All parts also require Close.
const (
	// Accounts requires account.Store.
	Accounts Part = "Accounts"
	// Keys requires account.Store and account.KeyStore.
	Keys Part = "Keys"
	// Assets requires asset.Store.
	Assets Part = "Assets"
	// History requires asset.HistoryStore.
	History Part = "History"
	// Feed requires asset.HistoryStore and asset.FeedStore.
	Feed Part = "Feed"
	// Allowlist requires account.Store, asset.Store and allowlist.Store.
	Allowlist Part = "Allowlist"
	// Disputes requires asset.Store, dispute.Store and dispute.QueueStore.
	Disputes Part = "Disputes"
	// DisputeEvents requires asset.HistoryStore, asset.FeedStore, dispute.Store, dispute.QueueStore and
	// dispute.EventStore.
	DisputeEvents Part = "DisputeEvents"
	// Reports requires account.Store, asset.Store and report.Store.
	Reports Part = "Reports"
	// Reviews requires account.Store, asset.HistoryStore, report.Store and report.ReviewStore.
	Reviews Part = "Reviews"
	// Lists requires asset.Store and lists.Store.
	Lists Part = "Lists"
	// Webhooks requires webhook.Store.
	Webhooks Part = "Webhooks"

	// whole is the rest of the suite, which requires storage.Store.
	whole Part = ""
	// voices has no checks. It requires what gives assets their status without reports and disputes, so that
	// the steps of the state machine meet more often.
	voices Part = "voices"
)

// Parts returns all parts, in the order in which an adapter should implement them. The
// caller owns the slice.
func Parts() []Part {
	return []Part{Accounts, Keys, Assets, History, Feed, Allowlist, Disputes, DisputeEvents, Reports, Reviews, Lists, Webhooks}
}

// subjects returns the subjects of the part.
func (p Part) subjects() []subject {
	if p == whole {
		return subjects()
	}
	return slices.DeleteFunc(subjects(), func(s subject) bool { return s.part != p })
}

// requires returns the interfaces that the checks of the part use.
func (p Part) requires() []reflect.Type {
	switch p {
	case Accounts:
		return []reflect.Type{reflect.TypeFor[account.Store]()}
	case Keys:
		return []reflect.Type{reflect.TypeFor[account.Store](), reflect.TypeFor[account.KeyStore]()}
	case Assets:
		return []reflect.Type{reflect.TypeFor[asset.Store]()}
	case History:
		return []reflect.Type{reflect.TypeFor[asset.HistoryStore]()}
	case Feed:
		return []reflect.Type{reflect.TypeFor[asset.HistoryStore](), reflect.TypeFor[asset.FeedStore]()}
	case Allowlist:
		return []reflect.Type{reflect.TypeFor[account.Store](), reflect.TypeFor[asset.Store](), reflect.TypeFor[allowlist.Store]()}
	case Disputes:
		return []reflect.Type{reflect.TypeFor[asset.Store](), reflect.TypeFor[dispute.Store](), reflect.TypeFor[dispute.QueueStore]()}
	case DisputeEvents:
		return []reflect.Type{
			reflect.TypeFor[asset.HistoryStore](), reflect.TypeFor[asset.FeedStore](),
			reflect.TypeFor[dispute.Store](), reflect.TypeFor[dispute.QueueStore](), reflect.TypeFor[dispute.EventStore](),
		}
	case Reports:
		return []reflect.Type{reflect.TypeFor[account.Store](), reflect.TypeFor[asset.Store](), reflect.TypeFor[report.Store]()}
	case Reviews:
		return []reflect.Type{
			reflect.TypeFor[account.Store](), reflect.TypeFor[asset.HistoryStore](), reflect.TypeFor[report.Store](), reflect.TypeFor[report.ReviewStore](),
		}
	case Lists:
		return []reflect.Type{reflect.TypeFor[asset.Store](), reflect.TypeFor[lists.Store]()}
	case voices:
		return append(Allowlist.requires(), Lists.requires()...)
	case Webhooks:
		return []reflect.Type{reflect.TypeFor[webhook.Store]()}
	default:
		return []reflect.Type{reflect.TypeFor[storage.Store]()}
	}
}

// includes reports whether the part requires all interfaces of another part.
func (p Part) includes(other Part) bool {
	return !slices.ContainsFunc(other.requires(), func(role reflect.Type) bool {
		return !slices.ContainsFunc(p.requires(), func(required reflect.Type) bool { return required.Implements(role) })
	})
}

// needs marks a check that also calls a method of another part. [RunPart] skips it.
func needs(method string, run func(p *probe)) func(p *probe) {
	return func(p *probe) {
		if p.skip != nil {
			p.skip("needs " + method + ", which this part does not require")
		}
		run(p)
	}
}

// requireImplemented fails the test if a store lacks methods that the part requires. It
// names all of them.
func requireImplemented(t *testing.T, part Part, open func(t *testing.T) storage.Store) {
	t.Helper()
	required := make(map[string]string) // interfaces by method
	for _, role := range part.requires() {
		for method := range role.Methods() {
			required[method.Name] = role.String()
		}
	}
	implemented := t.Run("Implemented", func(t *testing.T) {
		p := newProbe(t, open)
		var lacking []string
		for _, op := range operations() {
			if required[op.name] == "" {
				continue
			}
			if err := p.try(op); errors.Is(err, errUnimplemented) {
				lacking = append(lacking, required[op.name]+": "+err.Error())
			}
		}
		require.Empty(t, lacking, "the store lacks methods:\n%s", strings.Join(lacking, "\n"))
	})
	if !implemented {
		t.FailNow()
	}
}

// errUnimplemented reports that a method panics, as those of a nil storage.Store do.
var errUnimplemented = errors.New("unimplemented store method")

// try calls the method on an empty store.
func (p *probe) try(op operation) (err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("%w: %s panics: %v", errUnimplemented, op.name, problem)
		}
	}()
	return op.call(p.Context(), p.Store)
}
