package hashes_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/hashes"
	"github.com/apguard/apguard/internal/test/contentstest"
	"github.com/apguard/apguard/internal/test/rulestest"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage/memory"
)

// answer returns what rules/js must answer for the result of a content.
func answer(t *testing.T, result check.Result) map[string]any {
	t.Helper()
	type object = map[string]any
	var want object
	if refused := new(classify.Error); errors.As(result.Err, &refused) {
		inner := object{"reason": refused.Reason, "message": refused.Error()}
		if refused.Character != "" {
			inner["character"] = refused.Character
		}
		if refused.Offset != 0 {
			inner["offset"] = refused.Offset
		}
		want = object{"code": "REFUSED", "message": refused.Error(), "refused": inner}
	} else {
		require.NoError(t, result.Err)
		want = object{
			"content": result.Content, "type": result.Type, "canonical": result.Canonical,
			"status": result.Status, "source": result.Source, "match": nil,
		}
		if m := result.Match; m != nil {
			want["match"] = object{"kind": m.Kind, "type": m.Type, "content": m.Canonical, "status": m.Status}
		}
	}
	text, err := json.Marshal(want)
	require.NoError(t, err)
	var decoded object
	require.NoError(t, json.Unmarshal(text, &decoded))
	return decoded
}

// JavaScript answers as the service does, for contents over 100,000 assets.
func TestOrigin_javaScript(t *testing.T) {
	t.Parallel()
	js := rulestest.NewHashLists(t, rulestest.Build(t))
	guard := apguard.New(memory.New(), apguard.Options{})
	assets := testsize.Of(0, 5_000, 100_000)
	drawn := contentstest.New(assets / 2)
	different := make(map[uint64]bool)
	for batch := drawn.Identities(assets); len(batch) > 0; batch = batch[min(len(batch), asset.MaxItems):] {
		items := make([]asset.StatusItem, min(len(batch), asset.MaxItems))
		for i := range items {
			items[i] = asset.StatusItem{Identity: batch[i], Status: drawn.Status()}
			different[check.Hash(batch[i])] = true
		}
		_, err := guard.Assets.SetStatuses(t.Context(), asset.SetStatusesRequest{Items: items, ConfirmProtected: true})
		require.NoError(t, err)
	}
	require.Len(t, different, assets, "no hash is that of two assets")
	o := newFilled(feed.FromServices(guard.Assets, guard.Feed), hashes.Options{})
	refresh(t, o)
	require.Empty(t, js.Update(t, "list", since(t, o, "").Data, time.Now()).Code)

	statuses, refused := make(map[asset.Status]int), 0
	const size = check.MaxItems
	for range testsize.Of(0, 4_000, 1_000_000) / size {
		contents := make([]string, size)
		for i := range contents {
			contents[i] = drawn.Content()
		}
		want, err := guard.Checks.CheckBatch(t.Context(), contents)
		require.NoError(t, err)
		for i, got := range js.Check(t, "list", contents) {
			require.Equal(t, answer(t, want[i]), got, "%q", contents[i])
			statuses[want[i].Status]++
			if want[i].Err != nil {
				refused++
			}
		}
	}
	t.Logf("refused %d, others %v", refused, statuses)
	require.Positive(t, refused)
	require.Len(t, statuses, 4, "all statuses, and none for what is refused")
}

// After random changes, a client in JavaScript that updates holds exactly what a new one holds, and what Go
// holds.
func TestOrigin_javaScript_steps(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	js := rulestest.NewHashLists(t, rulestest.Rules{})
	store := memory.New()
	guard := apguard.New(store, apguard.Options{})
	drawn := contentstest.New(30)
	identities := drawn.Identities(2000)
	o := newOrigin(store, hashes.Options{History: 200})
	held := rulestest.Held{}
	differences := 0
	for step := range testsize.Of(0, 100, 1000) {
		items := make([]asset.StatusItem, 1+drawn.IntN(1+30*(step%3)))
		for i := range items {
			items[i] = asset.StatusItem{Identity: identities[drawn.IntN(len(identities))], Status: drawn.Status()}
		}
		_, err := guard.Assets.SetStatuses(t.Context(), asset.SetStatusesRequest{Items: items, ConfirmProtected: true})
		require.NoError(t, err)
		refresh(t, o)
		if step%4 == 3 {
			continue // the client asks less often
		}
		now := time.Now()
		response := since(t, o, held.Version)
		if response.Since != "" {
			differences++
		}
		held = js.Update(t, "updates", response.Data, now)
		require.Empty(t, held.Code, step)
		fresh := fmt.Sprint(step % 2)
		js.Clear(t, fresh)
		require.Equal(t, js.Update(t, fresh, since(t, o, "").Data, now), held)
	}
	require.Positive(t, differences)
}
