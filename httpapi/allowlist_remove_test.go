package httpapi_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
)

func TestRemoveAssets(t *testing.T) {
	t.Parallel()
	s := start(t)
	require.Equal(t, http.StatusOK, s.post(assetsPath, acmeKey, `{"assets":[
		{"content":"https://bad.example.com"},{"content":"https://new.example.com"},{"content":"good.example.com"}
	]}`).Status)
	require.Equal(t, http.StatusOK, s.post(assetsPath, globexKey, `{"assets":[{"content":"https://quiet.example.com"}]}`).Status)

	got := s.post(removePath, acmeKey, `{"ids":[4, 1.0, 3, 4, 999]}`)
	require.Equal(t, http.StatusOK, got.Status)
	const notFound = `"success":false,"error":"Asset not found in organization"}`
	require.JSONEq(t, `{"results":[{"id":4,"success":true},{"id":1,"success":true},{"id":3,`+notFound+`,{"id":4,`+notFound+
		`,{"id":999,`+notFound+`],"successCount":2,"errorCount":3}`, got.Body)

	listed, err := s.guard.Allowlist.List(context.Background(), allowlist.ListRequest{OrganizationID: 1})
	require.NoError(t, err)
	require.Len(t, listed.Entries, 1)
	for content, want := range map[string]asset.Status{
		"https://bad.example.com":   asset.StatusBlocked,
		"https://new.example.com":   asset.StatusUnknown,
		"good.example.com":          asset.StatusAllowed,
		"https://quiet.example.com": asset.StatusAllowed,
	} {
		a, err := s.guard.Asset(context.Background(), content)
		require.NoError(t, err)
		require.Equal(t, want, a.Status, content)
	}
	page, err := s.guard.Assets.ListChanges(context.Background(), asset.ListChangesRequest{Limit: 1})
	require.NoError(t, err)
	require.Equal(t, asset.Origin{Cause: asset.CauseAllowlistRemoval, Actor: 1, Reference: "organization/1"}, page.Changes[0].Origin)
}

func TestRemoveAssets_Errors(t *testing.T) {
	t.Parallel()
	s := start(t)
	const (
		wrong = "Invalid input data: "
		noID  = " must be a whole number from 1 to 2^53-1"
	)
	many := func(element string) string {
		return `{"ids":[` + strings.Repeat(element+",", allowlist.MaxItems) + element + `]}`
	}
	for reason, c := range map[string]struct{ body, message string }{
		"no string":             {`{"contents":["a.example.com",1,null]}`, wrong + "contents[1] must be a string; contents[2] must be a string"},
		"contents a string":     {`{"contents":"a.example.com"}`, wrong + "contents must be an array"},
		"no content":            {`{"contents":[]}`, wrong + "contents must hold 1 to 1000 elements"},
		"ids and contents":      {`{"contents":["a.example.com"],"ids":[1]}`, wrong + "contents must not be given with ids"},
		"both empty":            {`{"contents":[],"ids":[]}`, wrong + "contents must not be given with ids"},
		"too many contents":     {strings.Replace(many("1"), "ids", "contents", 1), "Maximum 1000 assets allowed per request"},
		"no ids":                {`{}`, wrong + "ids is required unless contents is given"},
		"ids null":              {`{"ids":null}`, wrong + "ids is required unless contents is given"},
		"ids a number":          {`{"ids":1}`, wrong + "ids must be an array"},
		"no elements":           {`{"ids":[]}`, wrong + "ids must hold 1 to 1000 elements"},
		"too many":              {many("1"), "Maximum 1000 assets allowed per request"},
		"too many invalid ones": {many(`""`), "Maximum 1000 assets allowed per request"},
		"a string":              {`{"ids":["1"]}`, wrong + "ids[0]" + noID},
		"null":                  {`{"ids":[1,null]}`, wrong + "ids[1]" + noID},
		"not whole":             {`{"ids":[1.5]}`, wrong + "ids[0]" + noID},
		"0 and a negative one":  {`{"ids":[0,-1]}`, wrong + "ids[0]" + noID + "; ids[1]" + noID},
		"2^53":                  {`{"ids":[9007199254740992]}`, wrong + "ids[0]" + noID},
		"a list":                {`{"ids":[[1]]}`, wrong + "ids[0]" + noID},
	} {
		t.Run(reason, func(t *testing.T) {
			requireError(t, s.post(removePath, acmeKey, c.body), removePath, http.StatusBadRequest, "BAD_REQUEST", c.message)
		})
	}
}

func TestRemoveAssets_Contents(t *testing.T) {
	t.Parallel()
	s := start(t)
	require.Equal(t, http.StatusOK, s.post(assetsPath, acmeKey, `{"assets":[{"content":"https://bad.example.com"},{"content":"https://new.example.com"}]}`).Status)
	got := s.post(removePath, acmeKey, `{"contents":["HTTPS://bad.example.com/","https://bad.example.com","good.example.com"," ","no asset"],"ids":null}`)
	require.Equal(t, http.StatusOK, got.Status)
	const notFound = `"success":false,"error":"Asset not found in organization"}`
	require.JSONEq(t, `{"results":[{"content":"HTTPS://bad.example.com/","id":1,"success":true},{"content":"https://bad.example.com",`+notFound+
		`,{"content":"good.example.com",`+notFound+`,{"content":" ","success":false,"error":"Content is required"},`+
		`{"content":"no asset","success":false,"error":"Invalid asset format"}],"successCount":1,"errorCount":4}`, got.Body)
	require.Equal(t, asset.StatusBlocked, s.status("https://bad.example.com"))
	require.Equal(t, asset.StatusAllowed, s.status("https://new.example.com"))
}

func TestRemoveAssets_Maximum(t *testing.T) {
	t.Parallel()
	s := start(t)
	got := s.post(removePath, acmeKey, `{"ids":[`+strings.Repeat("9007199254740991,", 999)+`9007199254740991]}`)
	require.Equal(t, http.StatusOK, got.Status)
	require.True(t, strings.HasSuffix(got.Body, `"successCount":0,"errorCount":1000}`))
}
