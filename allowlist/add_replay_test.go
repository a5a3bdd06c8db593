package allowlist_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/storage/memory"
)

// anyItems draws items with every outcome: many are repeated, refused or on a list already.
var anyItems = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) allowlist.Item {
	return allowlist.Item{
		Content: rapid.SampledFrom([]string{
			"https://a.example", "HTTPS://A.example/", "https://b.example", "https://c.example", "acme.com", "", " ", "no asset", "https://a.example/\x00",
		}).Draw(t, "content"),
		Name:    rapid.SampledFrom([]string{"", "name"}).Draw(t, "name"),
		GroupID: rapid.SampledFrom([]int64{0, 0, 0, 10, -1}).Draw(t, "group"),
	}
}), 1, 8)

// drawn returns a fixture with some assets that are blocked or on the list, and one that may
// have no asset of the items.
func drawn(t *testing.T, rt *rapid.T) fixture {
	t.Helper()
	f := newFixture(t, allowlist.Options{RefuseBlocked: rapid.Bool().Draw(rt, "refuse blocked")})
	for _, content := range []string{"https://a.example", "https://b.example", "https://c.example"} {
		switch rapid.IntRange(0, 3).Draw(rt, content) {
		case 1:
			f.block(t, content)
		case 2:
			f.add(t, acme, allowlist.Item{Content: content})
		case 3:
			f.add(t, globex, allowlist.Item{Content: content})
		}
	}
	return f
}

// stored returns everything that requests can change.
func (f fixture) stored(t *testing.T) []any {
	t.Helper()
	return []any{f.entries(t, acme), f.entries(t, globex), f.changes(t)}
}

// A repeat returns the results of the first request and changes nothing, whatever happened
// in between.
func TestService_Add_RepeatLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		f := drawn(t, rt)
		req := allowlist.AddRequest{OrganizationID: acme, Actor: 7, Items: anyItems.Draw(rt, "items"), Idempotency: idempotency.Key{Text: "key"}}
		first, err := f.Add(t.Context(), req)
		require.NoError(rt, err)
		require.False(rt, first.Replayed)
		f.block(t, "https://a.example")
		f.add(t, acme, allowlist.Item{Content: "https://c.example"}, allowlist.Item{Content: "https://d.example"})

		before := f.stored(t)
		repeat, err := f.Add(t.Context(), req)
		require.NoError(rt, err)
		require.True(rt, repeat.Replayed)
		for i := range first.Results {
			first.Results[i].Status = "" // records do not keep it
		}
		require.Equal(rt, first.Results, repeat.Results)
		require.Equal(rt, before, f.stored(t))
	})
}

func TestService_Add_AnotherRequest(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	req := allowlist.AddRequest{
		OrganizationID: acme, Actor: 7, Idempotency: idempotency.Key{Text: "key"},
		Items: []allowlist.Item{{Content: "https://a.example", Name: "name", Description: "description"}},
	}
	_, err := f.Add(t.Context(), req)
	require.NoError(t, err)
	before := f.stored(t)
	for field, change := range map[string]func(req *allowlist.AddRequest, item *allowlist.Item){
		"content":     func(_ *allowlist.AddRequest, item *allowlist.Item) { item.Content = "HTTPS://a.example" },
		"name":        func(_ *allowlist.AddRequest, item *allowlist.Item) { item.Name = "" },
		"description": func(_ *allowlist.AddRequest, item *allowlist.Item) { item.Description = "" },
		"group":       func(_ *allowlist.AddRequest, item *allowlist.Item) { item.GroupID = 10 },
		"condition":   func(_ *allowlist.AddRequest, item *allowlist.Item) { item.RefuseBlocked = true },
		"number of items": func(req *allowlist.AddRequest, item *allowlist.Item) {
			req.Items = append(req.Items, *item)
		},
		"fingerprint": func(req *allowlist.AddRequest, _ *allowlist.Item) {
			req.Idempotency.Fingerprint = idempotency.FingerprintOf("other")
		},
	} {
		other := req
		other.Items = append([]allowlist.Item(nil), req.Items...)
		change(&other, &other.Items[0])
		added, err := f.Add(t.Context(), other)
		require.Equal(t, idempotency.ErrReused, err, field)
		require.Zero(t, added, field)
	}
	require.Equal(t, before, f.stored(t))
}

func TestService_Add_OwnerOfKey(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	for _, owner := range [][2]int64{{acme, 7}, {acme, 8}, {acme, 0}, {globex, 7}} {
		req := allowlist.AddRequest{
			OrganizationID: owner[0], Actor: owner[1], Idempotency: idempotency.Key{Text: "key"}, Items: []allowlist.Item{{Content: "https://a.example"}},
		}
		for _, replayed := range []bool{false, true} {
			added, err := f.Add(t.Context(), req)
			require.NoError(t, err)
			require.Equal(t, replayed, added.Replayed, "organization %d and user %d", owner[0], owner[1])
		}
	}
}

// If the caller gives a fingerprint, it alone decides what a repeat is.
func TestService_Add_GivenFingerprint(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	req := allowlist.AddRequest{
		OrganizationID: acme, Items: []allowlist.Item{{Content: "https://a.example"}},
		Idempotency: idempotency.Key{Text: "key", Fingerprint: idempotency.FingerprintOf("the same")},
	}
	first, err := f.Add(t.Context(), req)
	require.NoError(t, err)
	req.Items = []allowlist.Item{{Content: "https://b.example"}}
	repeat, err := f.Add(t.Context(), req)
	require.NoError(t, err)
	require.True(t, repeat.Replayed)
	require.Equal(t, first.Results[0].AssetID, repeat.Results[0].AssetID)
	require.Equal(t, "https://b.example", repeat.Results[0].Content)
}

func TestService_Add_KeyExpires(t *testing.T) {
	t.Parallel()
	now := noon
	service := allowlist.NewService(accounttest.Organizations(t, memory.New(), 1, 2), allowlist.Options{Clock: func() time.Time { return now }})
	req := allowlist.AddRequest{OrganizationID: acme, Items: []allowlist.Item{{Content: "https://a.example"}}, Idempotency: idempotency.Key{Text: "key"}}
	for _, c := range []struct {
		after    time.Duration
		replayed bool
		err      error
	}{
		{0, false, nil},
		{24*time.Hour - time.Millisecond, true, nil},
		{24 * time.Hour, false, allowlist.ErrExists},
		{0, true, allowlist.ErrExists}, // the clock was set back
	} {
		now = noon.Add(c.after)
		added, err := service.Add(t.Context(), req)
		require.NoError(t, err)
		require.Equal(t, c.replayed, added.Replayed, c.after)
		require.Equal(t, c.err, added.Results[0].Err, c.after)
	}
}

func TestAddCommand_Record(t *testing.T) {
	t.Parallel()
	cmd := allowlist.AddCommand{
		Places: []asset.Place{
			{Index: 1}, {Err: classify.ErrContentRequired}, {Index: 0}, {Index: 1, Duplicate: true}, {Err: classifyError(t)},
			{Index: 2}, {Err: allowlist.ErrInvalidGroupID}, {Index: 2, Duplicate: true},
		},
		Claim: idempotency.Claim{OrganizationID: acme, Operation: "test", Key: idempotency.Key{Text: "key"}, At: noon},
	}
	outcomes := []allowlist.Outcome{{AssetID: 5, Err: allowlist.ErrExists}, {AssetID: 4}, {AssetID: 6, Err: allowlist.ErrBlocked}}
	require.Equal(t, cmd.Claim.Record([]byte(`{"outcomes":"ACEEFBGB","assetIds":[4,5,4,6,6]}`)), cmd.Record(outcomes))
	require.Equal(t, allowlist.Outcome{AssetID: 4}, outcomes[1], "the argument is unchanged")
}

// classifyError returns the error of an item that is no asset.
func classifyError(t *testing.T) error {
	t.Helper()
	result := newFixture(t, allowlist.Options{}).add(t, acme, allowlist.Item{Content: "no asset"})[0]
	require.ErrorAs(t, result.Err, new(*classify.Error))
	return result.Err
}

// failingStore refuses every addition with an error.
type failingStore struct {
	allowlist.Store
	err error
}

func (s failingStore) AddToAllowlist(context.Context, allowlist.AddCommand) ([]allowlist.Outcome, error) {
	return nil, s.err
}

// The results of a repeat are those of the record, even if another version of the program
// recognized other assets.
func TestService_Add_RecordOfAnotherVersion(t *testing.T) {
	t.Parallel()
	service := allowlist.NewService(failingStore{err: &idempotency.ReplayError{Answer: []byte(`{"outcomes":"AFCGBE","assetIds":[7,8,9]}`)}}, allowlist.Options{})
	added, err := service.Add(t.Context(), allowlist.AddRequest{OrganizationID: acme, Items: []allowlist.Item{
		{Content: "no asset"}, {Content: "https://a.example"}, {Content: "no asset"}, {Content: "https://g.example", GroupID: -1}, {Content: "https://b.example"}, {Content: ""},
	}})
	require.NoError(t, err)
	require.Equal(t, allowlist.Added{Replayed: true, Results: []allowlist.Result{
		{Content: "no asset", Outcome: allowlist.Outcome{AssetID: 7}},
		{Content: "https://a.example", Outcome: allowlist.Outcome{Err: classify.ErrInvalidFormat}},
		{Content: "no asset", Outcome: allowlist.Outcome{Err: classify.ErrContentRequired}},
		{Content: "https://g.example", Outcome: allowlist.Outcome{Err: allowlist.ErrInvalidGroupID}},
		{Content: "https://b.example", Outcome: allowlist.Outcome{AssetID: 8, Err: allowlist.ErrBlocked}},
		{Content: "", Outcome: allowlist.Outcome{AssetID: 9, Err: allowlist.ErrExists}},
	}}, added)
}

func TestService_Add_MalformedRecord(t *testing.T) {
	t.Parallel()
	for reason, answer := range map[string]string{
		"empty":             "",
		"no JSON":           "A",
		"too few outcomes":  `{"outcomes":"F"}`,
		"too many outcomes": `{"outcomes":"FFF"}`,
		"an unknown letter": `{"outcomes":"F?"}`,
		"a missing ID":      `{"outcomes":"AA","assetIds":[1]}`,
	} {
		service := allowlist.NewService(failingStore{err: &idempotency.ReplayError{Answer: []byte(answer)}}, allowlist.Options{})
		added, err := service.Add(t.Context(), allowlist.AddRequest{
			OrganizationID: acme, Items: []allowlist.Item{{Content: "https://a.example"}, {Content: "https://b.example"}},
		})
		require.EqualError(t, err, "malformed record of an idempotency key", reason)
		require.Zero(t, added, reason)
	}
}

func TestService_Add_InProgress(t *testing.T) {
	t.Parallel()
	service := allowlist.NewService(failingStore{err: idempotency.ErrInProgress}, allowlist.Options{})
	_, err := service.Add(t.Context(), allowlist.AddRequest{OrganizationID: acme, Items: []allowlist.Item{{Content: "https://a.example"}}})
	require.ErrorIs(t, err, idempotency.ErrInProgress)
}

func TestService_Add_InvalidKey(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	for _, dryRun := range []bool{false, true} {
		_, err := f.Add(t.Context(), allowlist.AddRequest{
			OrganizationID: acme, Idempotency: idempotency.Key{Text: strings.Repeat("k", 256)}, DryRun: dryRun,
		})
		var input *asset.InputError
		require.ErrorAs(t, err, &input)
		require.EqualError(t, err, "invalid input: assets: must hold 1 to 1000 elements; Idempotency-Key: must be 1 to 255 visible ASCII characters")
	}
}

// A request that is refused can be corrected and repeated with its key.
func TestService_Add_RefusedRequest(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	req := allowlist.AddRequest{OrganizationID: acme, Idempotency: idempotency.Key{Text: "key"}, Items: []allowlist.Item{{Content: "https://a.example", GroupID: 99}}}
	for range 2 {
		_, err := f.Add(t.Context(), req)
		require.ErrorIs(t, err, account.ErrGroupNotFound)
	}
	req.Items[0].GroupID = 10
	added, err := f.Add(t.Context(), req)
	require.NoError(t, err)
	require.False(t, added.Replayed)
	require.NoError(t, errors.Join(added.Results[0].Err))
}
