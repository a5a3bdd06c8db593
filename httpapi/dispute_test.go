package httpapi_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/dispute"
)

// disputed returns the response body without a message.
func disputed(id, content string) string {
	return `{"id":` + quote(id) + `,"content":` + quote(content) + `}`
}

func TestCreateDispute(t *testing.T) {
	t.Parallel()
	s := start(t)
	got := s.post(disputePath, acmeKey, `{"content":" https://BAD.example.com/ ","description":"It is ours \u00e9"}`)
	require.Equal(t, http.StatusOK, got.Status)
	require.Equal(t, disputed("1", " https://BAD.example.com/ "), got.Body)

	stored, err := s.guard.DisputeQueue.Get(context.Background(), 1)
	require.NoError(t, err)
	require.Equal(t, "ada@acme.test", stored.Email)
	require.Equal(t, "It is ours \u00e9", stored.Description)
	require.Len(t, stored.Notes, 1)
	require.Equal(t, dispute.NoteKindAPI, stored.Notes[0].Kind)

	t.Run("an asset of any status", func(t *testing.T) {
		for _, content := range []string{"good.example.com", "https://quiet.example.com"} {
			require.Equal(t, http.StatusOK, s.post(disputePath, acmeKey, `{"content":"`+content+`"}`).Status)
		}
	})
	t.Run("the address of the request comes before the key's", func(t *testing.T) {
		got := s.post(disputePath, acmeKey, `{"content":"https://bad.example.com","email":" eve@other.test ","description":null}`)
		require.Equal(t, http.StatusOK, got.Status)
		stored, err := s.guard.DisputeQueue.Get(context.Background(), 4)
		require.NoError(t, err)
		require.Equal(t, "eve@other.test", stored.Email)
	})
	t.Run("a second one of the same address", func(t *testing.T) {
		for _, body := range []string{
			`{"content":"https://bad.example.com"}`,
			`{"content":"HTTPS://bad.example.com/","email":"ADA@acme.TEST"}`,
			`{"content":"https://bad.example.com","email":"  "}`,
		} {
			got := s.post(disputePath, acmeKey, body)
			requireInvalid(t, got, "a dispute of this asset with this e-mail address exists already")
		}
	})
	require.Empty(t, s.log.String())
}

func TestCreateDispute_Concurrent(t *testing.T) {
	t.Parallel()
	s := start(t)
	statuses := make([]int, 8)
	var group sync.WaitGroup
	for i := range statuses {
		group.Go(func() { statuses[i] = s.post(disputePath, acmeKey, `{"content":"https://bad.example.com"}`).Status })
	}
	group.Wait()
	taken := 0
	for _, status := range statuses {
		if status == http.StatusOK {
			taken++
		} else {
			require.Equal(t, http.StatusBadRequest, status)
		}
	}
	require.Equal(t, 1, taken)
}

func TestCreateDispute_Errors(t *testing.T) {
	t.Parallel()
	s := start(t)
	const noAddress = "email: must be an e-mail address"
	for reason, c := range map[string]struct {
		key, body string
		issues    []string
	}{
		"nothing at all":               {acmeKey, `{}`, []string{"content: is required"}},
		"no content":                   {acmeKey, `{"content":null}`, []string{"content: is required"}},
		"an empty content":             {acmeKey, `{"content":""}`, []string{"content: is required"}},
		"a blank content":              {acmeKey, `{"content":" \t"}`, []string{"content: is required"}},
		"a content that is a number":   {acmeKey, `{"content":1}`, []string{"content: must be a string"}},
		"NUL in a content":             {acmeKey, `{"content":"a\u0000b"}`, []string{"content: must be valid UTF-8 without NUL"}},
		"no address anywhere":          {looseKey, `{"content":"https://bad.example.com"}`, []string{"email: is required, as the account has no e-mail address"}},
		"a blank address and no other": {looseKey, `{"content":"https://bad.example.com","email":" "}`, []string{"email: is required, as the account has no e-mail address"}},
		"an invalid address":           {acmeKey, `{"content":"https://bad.example.com","email":"ada"}`, []string{noAddress}},
		"an address with a name":       {acmeKey, `{"content":"https://bad.example.com","email":"Ada <ada@acme.test>"}`, []string{noAddress}},
		"an address with a line break": {acmeKey, `{"content":"https://bad.example.com","email":"ada@acme.test\nBcc: x@y.z"}`, []string{noAddress}},
		"an address that is a list":    {acmeKey, `{"content":"https://bad.example.com","email":["a@b.test"]}`, []string{"email: must be a string"}},
		"a description of no text":     {acmeKey, `{"content":"https://bad.example.com","description":{}}`, []string{"description: must be a string"}},
		"NUL in a description":         {acmeKey, `{"content":"https://bad.example.com","description":"\u0000"}`, []string{"description: must be valid UTF-8 without NUL"}},
		"a description too long":       {acmeKey, `{"content":"https://bad.example.com","description":"` + strings.Repeat("d", 10_001) + `"}`, []string{"description: must be at most 10000 bytes long"}},
		"everything wrong by kind":     {acmeKey, `{"content":1,"email":2,"description":3}`, []string{"content: must be a string", "email: must be a string", "description: must be a string"}},
		"one missing, one of no text":  {acmeKey, `{"description":3}`, []string{"description: must be a string", "content: is required"}},
		"wrong before it is looked up": {acmeKey, `{"content":"https://never.example.com","email":"x"}`, []string{noAddress}},
	} {
		t.Run(reason, func(t *testing.T) {
			got := s.post(disputePath, c.key, c.body)
			requireInvalid(t, got, c.issues...)
		})
	}
	for reason, content := range map[string]string{
		"an unknown asset":               "https://never.example.com",
		"content that no rule knows":     "no such thing",
		"content that is far too long":   "https://bad.example.com/" + strings.Repeat("a", 10_000),
		"the name of an asset, reversed": "moc.elpmaxe.dab//:sptth",
	} {
		t.Run(reason, func(t *testing.T) {
			requireError(t, s.post(disputePath, acmeKey, `{"content":"`+content+`"}`), disputePath, http.StatusNotFound, "NOT_FOUND", "Asset not found")
		})
	}
	_, err := s.guard.DisputeQueue.Get(context.Background(), 1)
	require.ErrorIs(t, err, dispute.ErrNotFound, "nothing was stored")
}

// externalList is an external externalList that blocks all that holds the word, or fails.
type externalList struct {
	word string
	err  error
}

func (l externalList) Name() string { return "Phish & Co" }

func (l externalList) Status(_ context.Context, identity asset.Identity) (asset.Status, error) {
	switch {
	case l.err != nil:
		return "", l.err
	case strings.Contains(identity.Canonical, l.word):
		return asset.StatusBlocked, nil
	}
	return asset.StatusUnknown, nil
}

func TestCreateDispute_ExternalList(t *testing.T) {
	t.Parallel()
	s := startWith(t, setup{guard: apguard.Options{ExternalLists: check.ExternalLists{externalList{word: "bad"}}}})
	got := s.post(disputePath, acmeKey, `{"content":"https://bad.elsewhere.com"}`)
	want := `{"id":"1","content":"https://bad.elsewhere.com",` +
		`"message":"This asset is not blocked here. It is blocked in the external list Phish & Co."}`
	require.Equal(t, want, got.Body)
	require.Equal(t, disputed("2", "https://bad.example.com"),
		s.post(disputePath, acmeKey, `{"content":"https://bad.example.com"}`).Body, "blocked here too")
}

func TestCreateDispute_FailingExternalList(t *testing.T) {
	t.Parallel()
	s := startWith(t, setup{guard: apguard.Options{ExternalLists: check.ExternalLists{externalList{err: errors.New("list is down")}}}})
	got := s.post(disputePath, acmeKey, `{"content":"https://bad.example.com"}`)
	require.Equal(t, http.StatusOK, got.Status)
	require.Equal(t, disputed("1", "https://bad.example.com"), got.Body)
	require.Contains(t, s.log.String(), "level=WARN")
	require.Contains(t, s.log.String(), "list is down")

	// What the list would have known is not found; the log says why.
	require.Equal(t, http.StatusNotFound, s.post(disputePath, acmeKey, `{"content":"https://new.example.com"}`).Status)
	require.Equal(t, 2, strings.Count(s.log.String(), "list is down"))
}
