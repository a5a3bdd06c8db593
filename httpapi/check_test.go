package httpapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/classify/classifytest"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/mirror"
	"github.com/apguard/apguard/lists"
)

func TestCheckAsset(t *testing.T) {
	t.Parallel()
	s := startWith(t, setup{guard: apguard.Options{ExternalLists: check.ExternalLists{externalList{word: "listed"}}}})
	const listed = `[{"name":"Phish & Co","status":"BLOCKED"}]`
	for reason, c := range map[string]struct{ content, want string }{
		"the asset itself": {
			" HTTPS://Bad.example.com ",
			`"type":"URL","canonical":"https://bad.example.com","status":"BLOCKED","source":"ASSET","match":{"kind":"EXACT",` +
				`"assetId":1,"type":"URL","content":"https://bad.example.com","status":"BLOCKED",` + badBasis + `},"lists":[],"listsFailed":[]`,
		},
		"a shorter path": {
			"http://bad.example.com/x",
			`"type":"URL","canonical":"http://bad.example.com/x","status":"BLOCKED","source":"ASSET","match":{"kind":"URL",` +
				`"assetId":1,"type":"URL","content":"https://bad.example.com","status":"BLOCKED",` + badBasis + `},"lists":[],"listsFailed":[]`,
		},
		"the host of an e-mail address": {
			"ada@good.example.com",
			`"type":"EMAIL","canonical":"ada@good.example.com","status":"ALLOWED","source":"ASSET","match":{"kind":"DOMAIN",` +
				`"assetId":2,"type":"PAGE","content":"good.example.com","status":"ALLOWED",` + goodBasis + `},"lists":[],"listsFailed":[]`,
		},
		"an UNKNOWN asset": {
			"https://quiet.example.com",
			`"type":"URL","canonical":"https://quiet.example.com","status":"UNKNOWN","source":"NONE","match":null,"lists":[],"listsFailed":[]`,
		},
		"an external list": {
			"https://listed.example.org",
			`"type":"URL","canonical":"https://listed.example.org","status":"BLOCKED","source":"LIST","match":null,"lists":` + listed + `,"listsFailed":[]`,
		},
		"an asset wins over an external list": {
			"https://listed.good.example.com",
			`"type":"URL","canonical":"https://listed.good.example.com","status":"ALLOWED","source":"ASSET","match":{"kind":"DOMAIN",` +
				`"assetId":2,"type":"PAGE","content":"good.example.com","status":"ALLOWED",` + goodBasis + `},"lists":` + listed + `,"listsFailed":[]`,
		},
	} {
		content, err := json.Marshal(c.content)
		require.NoError(t, err)
		want := `{"content":` + string(content) + `,` + c.want + `}`
		got := s.post(checkPath, acmeKey, `{"content":`+string(content)+`}`)
		require.Equal(t, http.StatusOK, got.Status, reason)
		require.Equal(t, want, got.Body, reason)
		got = s.post(batchPath, acmeKey, `{"contents":[`+string(content)+`]}`)
		require.Equal(t, `{"results":[`+want+`]}`, got.Body, reason)
	}
}

// A match says who gives the asset its status, but not which operator or whose organization.
func TestCheckAsset_basis(t *testing.T) {
	t.Parallel()
	s := start(t)
	list := lists.List{Name: "phantom", Format: lists.Domains, Reason: asset.ReasonDrainer}
	_, err := s.guard.Lists.Add(t.Context(), list)
	require.NoError(t, err)
	_, err = s.guard.Lists.Sync(t.Context(), lists.SyncRequest{Name: list.Name, File: strings.NewReader("listed.example.com\n")})
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, s.post(assetsPath, acmeKey, `{"assets":[{"content":"vouched.example.com"}]}`).Status)
	_, err = s.guard.Assets.SetStatus(t.Context(), asset.SetStatusRequest{
		Identity: asset.Identity{Type: asset.TypePage, Canonical: "shop.example.com"}, Status: asset.StatusBlocked,
		Reason: asset.ReasonCounterfeit, Note: `<img src=x> "shoes"`, Origin: asset.Origin{Actor: 1, Reference: "ticket/7"},
	})
	require.NoError(t, err)
	const since = `"since":"2025-06-01T12:00:00.123Z"`
	basisOf := func(content string) string {
		_, rest, found := strings.Cut(s.post(checkPath, acmeKey, `{"content":"`+content+`"}`).Body, `,"reason":`)
		require.True(t, found, content)
		basis, _, _ := strings.Cut(rest, "}")
		return basis
	}
	for content, want := range map[string]string{
		"listed.example.com":  `"DRAINER","note":null,` + since + `,"by":"LIST","list":"phantom"`,
		"vouched.example.com": `null,"note":null,` + since + `,"by":"ORGANIZATION","list":null`,
		"shop.example.com":    `"COUNTERFEIT","note":"<img src=x> \"shoes\"",` + since + `,"by":"OPERATOR","list":null`,
	} {
		require.Equal(t, want, basisOf(content), content)
	}

	copied := mirror.New(mirror.Options{})
	replica := feed.NewReplica(feed.FromServices(s.guard.Assets, s.guard.Feed), feed.Options{Views: []feed.View{copied}})
	ctx, stop := context.WithCancel(t.Context())
	defer background(func() { _ = replica.Run(ctx) })()
	defer stop()
	require.NoError(t, replica.Sync(t.Context()))
	s.guard.Checks = copied
	const nothing = `,"note":null,"since":null,"by":null,"list":null`
	for content, reason := range map[string]string{
		"listed.example.com": `"DRAINER"`, "vouched.example.com": "null", "shop.example.com": `"COUNTERFEIT"`,
	} {
		require.Equal(t, reason+nothing, basisOf(content), "from a mirror: %s", content)
	}
}

func TestCheckAsset_Errors(t *testing.T) {
	t.Parallel()
	s := start(t)
	for reason, c := range map[string]struct{ body, issue, reason string }{
		"no content":         {`{}`, "content: is required", "EMPTY"},
		"null":               {`{"content":null}`, "content: is required", "EMPTY"},
		"an empty content":   {`{"content":""}`, "content: is required", "EMPTY"},
		"a blank content":    {`{"content":" \t\n "}`, "content: is required", "EMPTY"},
		"a number":           {`{"content":1}`, "content: must be a string", ""},
		"a list":             {`{"content":["https://a.example.com"]}`, "content: must be a string", ""},
		"not recognized":     {`{"content":"no asset"}`, "content: inner white space, control character or invisible direction mark", "FORBIDDEN_CHARACTER"},
		"NUL":                {`{"content":"a.exam\u0000ple.com"}`, "content: inner white space, control character or invisible direction mark", "FORBIDDEN_CHARACTER"},
		"lying punycode":     {`{"content":"https://xn--a.ü.example.com"}`, "content: invalid host", "INVALID_HOST"},
		"a secret":           {`{"content":"5KJvsngHeMpm884wtkJNzQGaCErckhHJBGFsvd3VyK5qMZXj3hS"}`, "content: possible private key or seed; keep it secret", "SECRET"},
		"a name twice":       {`{"content":"a.example.com","content":"b.example.com"}`, "content: must not be given twice", ""},
		"not an object":      {`["a.example.com"]`, "the body must be a JSON object", ""},
		"longer than 8 KiB":  {`{"content":"` + strings.Repeat("a", classify.MaxContent+1) + `"}`, "content: content or canonical form longer than 8192 bytes", "TOO_LONG"},
		"another field name": {`{"Content":"a.example.com"}`, "Content: unknown field, did you mean content?", ""},
	} {
		got := s.post(checkPath, acmeKey, c.body)
		require.Equal(t, http.StatusBadRequest, got.Status, reason)
		require.Contains(t, got.Body, `"message":"Invalid input data"`, reason)
		var body struct {
			Issues []struct{ Message, Reason string }
		}
		require.NoError(t, json.Unmarshal([]byte(got.Body), &body))
		require.Len(t, body.Issues, 1, reason)
		require.Contains(t, body.Issues[0].Message, c.issue, reason)
		require.Equal(t, c.reason, body.Issues[0].Reason, reason)
	}
}

func TestCheckAssets(t *testing.T) {
	t.Parallel()
	s := start(t)
	got := s.post(batchPath, acmeKey, `{"contents":["no asset"," ","good.exam\u0000ple.com","","good.example.com","good.example.com/a b"]}`)
	require.Equal(t, http.StatusOK, got.Status)
	require.JSONEq(t, `{"results":[{"content":"no asset","error":"Invalid asset format","reason":"FORBIDDEN_CHARACTER"},{"content":" ","error":"Content is required","reason":"EMPTY"},
		{"content":"good.exam\u0000ple.com","error":"Invalid asset format","reason":"FORBIDDEN_CHARACTER"},{"content":"","error":"Content is required","reason":"EMPTY"},
		{"content":"good.example.com","type":"PAGE","canonical":"good.example.com","status":"ALLOWED","source":"ASSET","match":
			{"kind":"EXACT","assetId":2,"type":"PAGE","content":"good.example.com","status":"ALLOWED",`+goodBasis+`},"lists":[],"listsFailed":[]},
		{"content":"good.example.com/a b","type":"URL","canonical":"https://good.example.com/a%20b","status":"ALLOWED","source":"ASSET","match":
			{"kind":"PAGE","assetId":2,"type":"PAGE","content":"good.example.com","status":"ALLOWED",`+goodBasis+`},"lists":[],"listsFailed":[]}]}`, got.Body)
}

func TestCheckAssets_Errors(t *testing.T) {
	t.Parallel()
	s := start(t)
	many := func(element string) string {
		return `{"contents":[` + strings.Repeat(element+",", check.MaxItems) + element + `]}`
	}
	for reason, c := range map[string]struct{ body, message string }{
		"no contents":                {`{}`, "contents: is required"},
		"null":                       {`{"contents":null}`, "contents: is required"},
		"an empty list":              {`{"contents":[]}`, "contents: must hold 1 to 1000 elements"},
		"a string":                   {`{"contents":"a.example.com"}`, "contents: must be an array"},
		"an element that is null":    {`{"contents":["a.example.com",null]}`, "contents[1]: must be a string"},
		"an element that is a list":  {`{"contents":[["a.example.com"]]}`, "contents[0]: must be a string"},
		"too many contents":          {many(`"a.example.com"`), "Maximum 1000 contents allowed per request"},
		"too many, none of them one": {many(`0`), "Maximum 1000 contents allowed per request"},
	} {
		got := s.post(batchPath, acmeKey, c.body)
		require.Equal(t, http.StatusBadRequest, got.Status, reason)
		require.Contains(t, got.Body, c.message, reason)
	}
	require.Equal(t, http.StatusOK, s.post(batchPath, acmeKey, strings.Replace(many(`"a.example.com"`), `"a.example.com",`, "", 1)).Status)
}

// The failure of an external list is logged, and the others still answer.
func TestCheckAsset_ListFailure(t *testing.T) {
	t.Parallel()
	broken := externalList{err: errors.New("the list is down")}
	s := startWith(t, setup{guard: apguard.Options{ExternalLists: check.ExternalLists{broken, externalList{word: "listed"}}}})
	for path, body := range map[string]string{
		checkPath: `{"content":"https://listed.example.org"}`,
		batchPath: `{"contents":["https://listed.example.org","b.example.org"]}`,
	} {
		got := s.post(path, acmeKey, body)
		require.Equal(t, http.StatusOK, got.Status)
		require.Contains(t, got.Body, `"source":"LIST"`)
		require.Contains(t, got.Body, `"listsFailed":["Phish & Co"]`)
		require.NotContains(t, got.Body, "down")
		require.Contains(t, s.log.String(), "the list is down")
	}
}

func TestCheckAsset_FailClosed(t *testing.T) {
	t.Parallel()
	s := startWith(t, setup{guard: apguard.Options{ExternalLists: check.ExternalLists{externalList{err: errors.New("the list is down")}}, FailClosed: true}})
	for path, body := range map[string]string{
		checkPath: `{"content":"https://unknown.example.org"}`,
		batchPath: `{"contents":["https://unknown.example.org","b.example.org"]}`,
	} {
		got := s.post(path, acmeKey, body)
		require.Equal(t, http.StatusServiceUnavailable, got.Status)
		require.NotContains(t, got.Body, "down")
		require.Contains(t, s.log.String(), "the list is down")
	}
}

// HTTP and Go give the same verdicts for every kind of content.
func TestCheckAssets_AnyContent(t *testing.T) {
	t.Parallel()
	s := start(t)
	anyContent := rapid.OneOf(
		rapid.Map(classifytest.Content(), func(c classifytest.Case) string { return c.Content }),
		rapid.Map(classifytest.Damaged(), func(d classifytest.Damage) string { return d.Content }),
		classifytest.Hostile(),
		rapid.Map(rapid.SampledFrom([]string{"bad", "good", "quiet"}), func(name string) string { return "https://" + name + ".example.com/x" }),
	)
	rapid.Check(t, func(t *rapid.T) {
		content := strings.ToValidUTF8(anyContent.Draw(t, "content"), "\ufffd")
		text, err := json.Marshal(map[string]any{"contents": []string{content}})
		require.NoError(t, err)
		got := s.post(batchPath, acmeKey, string(text))
		require.Equal(t, http.StatusOK, got.Status, got.Body)
		var body struct {
			Results []struct{ Content, Error, Type, Canonical, Status, Source string }
		}
		require.NoError(t, json.Unmarshal([]byte(got.Body), &body))
		require.Len(t, body.Results, 1)
		result := body.Results[0]
		require.Equal(t, content, result.Content)

		verdict, err := s.guard.Checks.Check(s.tb.Context(), content)
		require.Equal(t, err != nil, result.Error != "")
		require.Equal(t, string(verdict.Type), result.Type)
		require.Equal(t, verdict.Canonical, result.Canonical)
		require.Equal(t, string(verdict.Status), result.Status)
		require.Equal(t, string(verdict.Source), result.Source)
	})
}
