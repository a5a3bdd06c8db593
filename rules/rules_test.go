package rules_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/rules"
)

// call calls a rule and requires an answer.
func call(tb testing.TB, rule, argument string) string {
	tb.Helper()
	answer, err := rules.Call(rule, []byte(argument))
	require.NoError(tb, err)
	return string(answer)
}

func quote(text string) string {
	quoted, _ := json.Marshal(text)
	return string(quoted)
}

func TestCall(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ reason, rule, argument, want string }{
		{
			"an asset, and two that are none", "classify", `{"contents":["HTTPS://A.example.com/","no asset",""]}`,
			`[{"type":"URL","canonical":"https://a.example.com"},
			{"refused":{"reason":"FORBIDDEN_CHARACTER","message":"inner white space, control character or invisible direction mark","character":"U+0020","offset":2}},
			{"refused":{"reason":"EMPTY","message":"empty content"}}]`,
		},
		{"nothing to classify", "classify", `{"contents":[]}`, `[]`},
		{
			"an address, which has a network", "classify", `{"contents":["0x00000000219ab540356cBB839Cbe05303d7705Fa"]}`,
			`[{"type":"ADDRESS","canonical":"0x00000000219ab540356cbb839cbe05303d7705fa","network":"evm"}]`,
		},
		{"an open dispute", "transitions", `{"state":"OPEN"}`, `["UNDER_REVIEW","ACCEPTED","REJECTED","WITHDRAWN"]`},
		{"a closed dispute", "transitions", `{"state":"REJECTED"}`, `["OPEN"]`},
		{"a state that does not exist", "transitions", `{"state":"?"}`, `[]`},
		{"a report with an undecided proposal", "reportStatus", `{"reviewStatuses":["APPROVE",null,"SKIP"]}`, `"IN_PROGRESS"`},
		{"a decided report", "reportStatus", `{"reviewStatuses":["APPROVE","REJECT"]}`, `"CLOSED"`},
		{"a report without proposals", "reportStatus", `{}`, `"TODO"`},
		{"a valid request", "validate", `{"operation":"/asset/check","body":"{\"content\":\"a.example.com\"}"}`, `{"valid":true,"issues":[]}`},
		{
			"content that is not recognized", "validate", `{"operation":"/asset/check","body":"{\"content\":\"no asset\"}"}`,
			`{"valid":false,"message":"Invalid input data","issues":["content: inner white space, control character or invisible direction mark"]}`,
		},
		{
			"content that a browser opens", "validate", `{"operation":"/asset/check","body":"{\"content\":\"https:a.example.com\"}"}`,
			`{"valid":true,"issues":[]}`,
		},
		{
			"two issues", "validate", `{"operation":"/dispute/create","body":"{\"email\":\"x\"}"}`,
			`{"valid":false,"message":"Invalid input data","issues":["content: is required","email: must be an e-mail address"]}`,
		},
		{"a query", "validate", `{"operation":"/asset/list","query":"limit=0"}`, `{"valid":false,"message":"Invalid input data","issues":["limit: must be from 1 to 10000"]}`},
		{"an export", "validate", `{"operation":"/asset/export/csv","query":"status=any"}`, `{"valid":true,"issues":[]}`},
		{"no such operation", "validate", `{"operation":"/nothing"}`, `{"valid":false,"message":"No such operation","issues":[]}`},
		{"no such format", "validate", `{"operation":"/asset/export/pdf"}`, `{"valid":false,"message":"No such operation","issues":[]}`},
		{
			"a batch with a duplicate and two faults", "plan",
			`{"at":"2025-06-01T00:00:00Z","body":` + quote(`{"assets":[{"content":"a.example.com"},{"content":"A.example.com"},{"content":"?"},{"content":"b.example.com","expiresAt":"2025-05-31T00:00:00Z"}]}`) + `}`,
			`{"valid":true,"issues":[],"assets":[{"type":"PAGE","canonical":"a.example.com"},
			{"type":"PAGE","canonical":"a.example.com","error":"Asset already exists in organization"},
			{"error":"Invalid asset format"},{"error":"Invalid expiry"}]}`,
		},
		{
			"a batch with a look-alike", "plan", `{"body":` + quote(`{"assets":[{"content":"https://аpple.com"}]}`) + `}`,
			`{"valid":true,"issues":[],"assets":[{"type":"URL","canonical":"https://xn--pple-43d.com","looksLike":"apple.com"}]}`,
		},
		{"an invalid batch", "plan", `{"body":"{}"}`, `{"valid":false,"message":"Invalid input data","issues":["assets: is required"],"assets":[]}`},
	} {
		t.Run(c.reason, func(t *testing.T) {
			t.Parallel()
			require.JSONEq(t, c.want, call(t, c.rule, c.argument))
		})
	}
}

func TestCall_Explain(t *testing.T) {
	t.Parallel()
	require.JSONEq(t, `{"type":"URL","canonical":"https://example.com","rule":"WEB_LINK","rewrites":["LETTER_CASE"],"tried":[{"rule":"WEB_LINK"}],
		"covers":[{"type":"URL","canonical":"https://example.com","kind":"EXACT","step":0},{"type":"PAGE","canonical":"example.com","kind":"PAGE","step":0},
		{"type":"URL","canonical":"http://example.com","kind":"URL","step":0}]}`,
		call(t, "explain", `{"content":"HTTPS://example.com"}`))
	require.JSONEq(t, `{"refused":{"reason":"MISSING_SLASHES","message":"missing slashes after http: or https:"},"rule":"WEB_LINK","rewrites":[],
		"tried":[{"rule":"WEB_LINK","reason":"MISSING_SLASHES"}],"opens":"https://example.com",
		"covers":[{"type":"URL","canonical":"https://example.com","kind":"URL","step":0},{"type":"PAGE","canonical":"example.com","kind":"PAGE","step":0},
		{"type":"URL","canonical":"http://example.com","kind":"URL","step":0}]}`,
		call(t, "explain", `{"content":"https:example.com"}`))
	for _, content := range []string{"https://аррӏе.com", "https:аррӏе.com"} {
		require.Contains(t, call(t, "explain", `{"content":`+quote(content)+`}`), `"looksLike":"apple.com"`)
	}
	for content, refanged := range map[string]string{
		"hxxps://Evil[.]com/x": `"refanged":"https://evil.com/x"`, "bob(at)evil[.]com": `"refanged":"bob@evil.com"`, "evil(dot)": `"covers":[]`,
	} {
		require.Contains(t, call(t, "explain", `{"content":`+quote(content)+`}`), refanged)
	}
	require.JSONEq(t, `{"refused":{"reason":"EMPTY","message":"empty content"},"rewrites":[],"tried":[],"covers":[]}`,
		call(t, "explain", `{"content":" "}`))
}

func TestCall_Limits(t *testing.T) {
	t.Parallel()
	var limits rules.Limits
	require.NoError(t, json.Unmarshal([]byte(call(t, "limits", `{}`)), &limits))
	require.Equal(t, 1000, limits.MaxAssets)
	require.Equal(t, 8192, limits.MaxContent)
	require.Equal(t, asset.Types(), limits.AssetTypes)
	require.Equal(t, dispute.States(), limits.DisputeStates)
}

func TestCall_Errors(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct{ rule, argument string }{
		"no such rule":          {"guess", `{}`},
		"no JSON":               {"classify", `{`},
		"an array":              {"explain", `[]`},
		"a number as a content": {"classify", `{"contents":[5]}`},
		"a time that is none":   {"plan", `{"at":"noon"}`},
	} {
		_, err := rules.Call(c.rule, []byte(c.argument))
		require.ErrorIs(t, err, rules.ErrCall, reason)
	}
}
