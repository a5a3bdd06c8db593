package classify_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/classify"
)

// requireExplained requires everything that the documentation of Explanation promises
// for any content.
func requireExplained(t require.TestingT, content string) {
	got := classify.Explain(content)
	result, err := classify.Classify(content)
	require.Equal(t, result, got.Result, "%q", content)
	rules := classify.Rules()
	require.LessOrEqual(t, len(got.Tried), len(rules))
	for i, attempt := range got.Tried {
		require.Equal(t, rules[i], attempt.Rule, "%q", content)
	}
	if err == nil {
		require.Nil(t, got.Err, "%q", content)
		requireAccepted(t, content, got)
		return
	}
	require.Equal(t, err, error(got.Err), "%q", content)
	require.Empty(t, got.Rewrites, "%q", content)
	reasons := map[classify.Rule]classify.Reason{"": classify.ReasonUnrecognized}
	for _, attempt := range got.Tried {
		require.Contains(t, classify.Reasons(), attempt.Reason, "%q", content)
		reasons[attempt.Rule] = attempt.Reason
	}
	if len(got.Tried) > 0 {
		require.Equal(t, reasons[got.Rule], got.Err.Reason, "the reason of the rule: %q", content)
	}
}

func requireAccepted(t require.TestingT, content string, got classify.Explanation) {
	last := len(got.Tried) - 1
	require.Equal(t, classify.Attempt{Rule: got.Rule}, got.Tried[last], "%q", content)
	for _, attempt := range got.Tried[:last] {
		require.Contains(t, classify.Reasons(), attempt.Reason, "%q", content)
	}
	seen := map[classify.Rewrite]bool{}
	for _, rewrite := range got.Rewrites {
		require.False(t, seen[rewrite], "%s twice: %q", rewrite, content)
		seen[rewrite] = true
	}
	require.Equal(t, content != got.Result.Canonical, len(seen) > 0,
		"a rewrite for each difference: %q becomes %q by %v", content, got.Result.Canonical, got.Rewrites)
}

func TestExplain_law(t *testing.T) {
	t.Parallel()
	for _, of := range allContents(t) {
		t.Run(of.name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				requireExplained(t, of.draw.Draw(t, "content"))
			})
		})
	}
}

func TestExplain_golden(t *testing.T) {
	t.Parallel()
	decided := map[classify.Rule]bool{}
	for _, rows := range goldenRows(t) {
		for _, row := range rows {
			requireExplained(t, row.Content)
			decided[classify.Explain(row.Content).Rule] = true
		}
	}
	for _, rule := range classify.Rules() {
		require.True(t, decided[rule], "%s decides no content of the table", rule)
	}
}

func TestExplain_rule(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		content string
		rule    classify.Rule
		tried   int
	}{
		{"a URL", "https://example.com", classify.RuleWebLink, 1},
		{"a URL with a space", "https://a b.com:x", "", 0},
		{"another scheme", "ftp://example.com", classify.RuleOtherScheme, 2},
		{"an address", "0xd8da6bf26964af9d7eed9e03e53415d37aa96045", classify.RuleAddress, 3},
		{"a damaged address", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb", classify.RuleAddress, 3},
		{"a platform's link without a scheme", "x.com/jack", classify.RulePlatformLink, 4},
		{"an unknown suffix", "example.notatld", classify.RulePage, 7},
		{"an e-mail address", "bob@example.com", classify.RuleEmail, 6},
		{"a reserved word", "@home", classify.RuleHandle, 7},
		{"a bare number", "12", "", 7},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := classify.Explain(test.content)
			require.Equal(t, test.rule, got.Rule)
			require.Len(t, got.Tried, test.tried)
		})
	}
}

func TestExplanation_json(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		content string
		want    string
	}{
		{
			"an asset", "HTTPS://Example.com/",
			`{"result":{"type":"URL","canonical":"https://example.com"},"rule":"WEB_LINK",` +
				`"rewrites":["LETTER_CASE","SLASHES"],"tried":[{"rule":"WEB_LINK"}]}`,
		},
		{
			"a refusal", "0x12",
			`{"error":{"reason":"HEX_LENGTH"},"rule":"ADDRESS","tried":[{"rule":"WEB_LINK","reason":"UNRECOGNIZED"},` +
				`{"rule":"OTHER_SCHEME","reason":"UNRECOGNIZED"},{"rule":"ADDRESS","reason":"HEX_LENGTH"}]}`,
		},
		{"a refusal before any rule", "a\u202eb", `{"error":{"reason":"FORBIDDEN_CHARACTER","character":"U+202E","offset":1}}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			text, err := json.Marshal(classify.Explain(test.content))
			require.NoError(t, err)
			require.Equal(t, test.want, string(text))

			var back classify.Explanation
			require.NoError(t, json.Unmarshal(text, &back))
			want := classify.Explain(test.content)
			want.Result.Content = "" // is not part of the JSON
			require.Equal(t, want, back)
		})
	}
}

func FuzzExplain(f *testing.F) {
	for _, rows := range goldenRows(f) {
		for _, row := range rows {
			f.Add(row.Content)
		}
	}
	f.Fuzz(func(t *testing.T, content string) {
		requireExplained(t, content)
	})
}
