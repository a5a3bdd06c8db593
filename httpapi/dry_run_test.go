package httpapi_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/check"
)

// dryRun adds "dryRun":true to the body of a batch add.
func dryRun(body string) string { return strings.TrimSuffix(body, "}") + `,"dryRun":true}` }

func TestDryRun(t *testing.T) {
	t.Parallel()
	added := func(content, idAndStatus string) string {
		return `{"content":` + quote(content) + `,"success":true,` + idAndStatus + `,"wide":null}`
	}
	failed := func(content, message, status string) string {
		return `{"content":` + quote(content) + `,"success":false,"error":` + quote(message) + `,"status":` + status + `,"wide":null}`
	}
	const listed = "Asset already exists in organization"
	const (
		unknown = `,"verdict":"UNKNOWN","match":null`
		refused = `,"verdict":null,"match":null`
	)
	verdict := func(id int, kind, content, status, basis string) string {
		return `,"verdict":"` + status + `","match":{"kind":"EXACT","assetId":` + strconv.Itoa(id) + `,"type":"` + kind +
			`","content":"` + content + `","status":"` + status + `",` + basis + `}`
	}
	const ofOrganization = `"reason":null,"note":null,"since":"2025-06-01T12:00:00.123Z","by":"ORGANIZATION","list":null`
	bad := verdict(1, "URL", "https://bad.example.com", "BLOCKED", badBasis)
	for reason, c := range map[string]struct {
		element, want string
		refuseBlocked bool
	}{
		"a blocked asset":            {`{"content":"HTTPS://bad.example.com/"}`, added("HTTPS://bad.example.com/", `"id":1,"status":"BLOCKED"`+bad), false},
		"an allowed asset":           {`{"content":"good.example.com"}`, added("good.example.com", `"id":2,"status":"ALLOWED"`+verdict(2, "PAGE", "good.example.com", "ALLOWED", goodBasis)), false},
		"an unknown asset":           {`{"content":"https://quiet.example.com"}`, added("https://quiet.example.com", `"id":3,"status":"UNKNOWN"`+unknown), false},
		"an asset of the other list": {`{"content":"https://globex.example.com"}`, added("https://globex.example.com", `"id":5,"status":"ALLOWED"`+verdict(5, "URL", "https://globex.example.com", "ALLOWED", ofOrganization)), false},
		"no asset yet":               {`{"content":"https://new.example.com","groupId":7}`, added("https://new.example.com", `"status":null`+unknown), false},
		"an asset of the list":       {`{"content":"https://acme.example.com"}`, failed("https://acme.example.com", listed, `"ALLOWED"`+verdict(4, "URL", "https://acme.example.com", "ALLOWED", ofOrganization)), false},
		"a refused content":          {`{"content":"no such thing"}`, failed("no such thing", "Invalid asset format", "null"+refused), false},
		"no content":                 {`{}`, failed("", "Content is required", "null"+refused), false},
		"an invalid group ID":        {`{"content":"https://bad.example.com","groupId":0}`, failed("https://bad.example.com", "Invalid group ID", "null"+refused), false},
		"a repeated asset": {
			`{"content":"https://bad.example.com"},{"content":"https://bad.example.com"}`,
			added("https://bad.example.com", `"id":1,"status":"BLOCKED"`+bad) + "," + failed("https://bad.example.com", listed, `"BLOCKED"`+bad), false,
		},
		"a repeated new asset": {
			`{"content":"https://new.example.com"},{"content":"https://new.example.com"}`,
			added("https://new.example.com", `"status":null`+unknown) + "," + failed("https://new.example.com", listed, "null"+unknown), false,
		},
		"a blocked asset that is refused": {`{"content":"https://bad.example.com"}`, failed("https://bad.example.com", "Asset is blocked", `"BLOCKED"`+bad), true},
		"a link on a blocked site": {
			`{"content":"https://bad.example.com/login"}`,
			added("https://bad.example.com/login", `"status":null`+strings.Replace(bad, "EXACT", "URL", 1)), false,
		},
		"a link on a blocked site that is refused": {
			`{"content":"https://bad.example.com/login"}`,
			failed("https://bad.example.com/login", "Asset is blocked", "null"+strings.Replace(bad, "EXACT", "URL", 1)), true,
		},
		"what only an external list blocks": {
			`{"content":"https://phishy.example.com"}`, added("https://phishy.example.com", `"status":null,"verdict":"BLOCKED","match":null`), true,
		},
		"a domain with a blocked asset": {
			`{"content":"example.com"}`,
			strings.Replace(added("example.com", `"status":null`+unknown), `"wide":null`, `"wide":{"protection":null,"blockedBelow":1}`, 1), false,
		},
		"no asset yet, with a refusal": {`{"content":"https://new.example.com"}`, added("https://new.example.com", `"status":null`+unknown), true},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			s := startWith(t, setup{guard: apguard.Options{
				RefuseBlocked: c.refuseBlocked, ExternalLists: check.ExternalLists{externalList{word: "phishy"}},
			}})
			require.Equal(t, http.StatusOK, s.post(assetsPath, acmeKey, `{"assets":[{"content":"https://acme.example.com"}]}`).Status)
			require.Equal(t, http.StatusOK, s.post(assetsPath, globexKey, `{"assets":[{"content":"https://globex.example.com"}]}`).Status)
			before := s.stored()
			count := func(success string) string { return strconv.Itoa(strings.Count(c.want, `"success":`+success)) }
			got := s.post(assetsPath, acmeKey, dryRun(`{"assets":[`+c.element+`]}`))
			require.Equal(t, http.StatusOK, got.Status, got.Body)
			require.Equal(t, `{"results":[`+c.want+`],"successCount":`+count("true")+`,"errorCount":`+count("false")+`,"dryRun":true}`, got.Body)
			require.Equal(t, before, s.stored())
			requireSameResults(t, got, s.post(assetsPath, acmeKey, `{"assets":[`+c.element+`]}`))
		})
	}
}

// requireSameResults requires the results of a dry run and of the batch add after it to be
// the same, except for the IDs of new assets.
func requireSameResults(t *testing.T, dry, got response) {
	t.Helper()
	announced, done := decode(t, dry.Body), decode(t, got.Body)
	delete(announced, "dryRun")
	for i, element := range announced["results"].([]any) {
		result, real := element.(map[string]any), done["results"].([]any)[i].(map[string]any)
		delete(result, "status")
		delete(result, "verdict")
		delete(result, "match")
		delete(result, "wide")
		if result["id"] == nil {
			delete(real, "id")
		}
	}
	require.Equal(t, announced, done)
}

// The verdict of a dry run is that of a check.
func TestDryRun_Check(t *testing.T) {
	t.Parallel()
	s := startWith(t, setup{guard: apguard.Options{ExternalLists: check.ExternalLists{externalList{word: "phishy"}, externalList{err: errDisk}}}})
	for _, content := range []string{
		"https://bad.example.com", "bad.example.com", "http://bad.example.com/x?y", "www.bad.example.com", "a@good.example.com", "x.good.example.com",
		"https://phishy.example.com/x", "@handle_x", "https://quiet.example.com",
	} {
		dry := s.post(assetsPath, acmeKey, dryRun(`{"assets":[{"content":`+quote(content)+`}]}`))
		require.Equal(t, http.StatusOK, dry.Status, dry.Body)
		result := decode(t, dry.Body)["results"].([]any)[0].(map[string]any)
		checked := decode(t, s.post(checkPath, acmeKey, `{"content":`+quote(content)+`}`).Body)
		require.Equal(t, checked["status"], result["verdict"], content)
		require.Equal(t, checked["match"], result["match"], content)
	}
	require.Equal(t, 18, strings.Count(s.log.String(), errDisk.Error()), "the failure of a list is logged")
}

func TestDryRun_Flag(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		flag, issue string
		dry         bool
	}{
		"true":          {`true`, "", true},
		"false":         {`false`, "", false},
		"null":          {`null`, "", false},
		"a string":      {`"true"`, "dryRun must be true or false", false},
		"a number":      {`1`, "dryRun must be true or false", false},
		"a list":        {`[true]`, "dryRun must be true or false", false},
		"another issue": {`0,"assets":[{"content":"a","name":1}]`, "dryRun must be true or false; assets[0].name must be a string", false},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			s := start(t)
			body := `{"dryRun":` + c.flag
			if !strings.Contains(body, "assets") {
				body += `,"assets":[{"content":"https://new.example.com"}]`
			}
			before := s.stored()
			got := s.post(assetsPath, acmeKey, body+"}")
			switch {
			case c.issue != "":
				requireError(t, got, assetsPath, 400, "BAD_REQUEST", "Invalid input data: "+c.issue)
			case c.dry:
				require.Equal(t, true, decode(t, got.Body)["dryRun"])
			default:
				require.Equal(t, `{"results":[`+added("https://new.example.com", "4")+`],"successCount":1,"errorCount":0}`, got.Body)
				return
			}
			require.Equal(t, before, s.stored())
		})
	}
}

// A dry run refuses the requests that the batch add refuses.
func TestDryRun_Errors(t *testing.T) {
	t.Parallel()
	s := start(t)
	for reason, body := range map[string]string{
		"no assets":        `{"assets":[]}`,
		"too many":         `{"assets":[` + strings.Repeat(`{},`, allowlist.MaxItems) + `{}]}`,
		"an invalid name":  `{"assets":[{"content":"a","name":1}]}`,
		"an unknown group": `{"assets":[{"content":"https://new.example.com"},{"content":"https://new.example.com","groupId":999}]}`,
		"a foreign group":  `{"assets":[{"content":"https://new.example.com","groupId":8}]}`,
	} {
		want, got := s.post(assetsPath, acmeKey, body), s.post(assetsPath, acmeKey, dryRun(body))
		require.GreaterOrEqual(t, got.Status, 400, reason)
		require.Equal(t, want.Status, got.Status, reason)
		require.Equal(t, want.Body, got.Body, reason)
	}
}

// A dry run tells statuses, so it needs a scope for reading them, too.
func TestDryRun_Scopes(t *testing.T) {
	t.Parallel()
	s := start(t)
	for reason, c := range map[string]struct {
		organization int64
		scopes       []account.Scope
		permitted    bool
	}{
		"check":                    {1, []account.Scope{account.ScopeAllowlist, account.ScopeCheck}, true},
		"changelog":                {1, []account.Scope{account.ScopeAllowlist, account.ScopeChangelog}, true},
		"every scope":              {1, account.Scopes(), true},
		"only the scope of adding": {1, []account.Scope{account.ScopeAllowlist}, false},
		"other scopes":             {1, []account.Scope{account.ScopeAllowlist, account.ScopeDispute, account.ScopeReports}, false},
		"not that of adding":       {1, []account.Scope{account.ScopeCheck, account.ScopeChangelog}, false},
		"no organization":          {0, account.Scopes(), false},
	} {
		key := "apg_" + strings.ReplaceAll(reason, " ", "_")
		s.addKeyOf(key, c.organization, 1, c.scopes...)
		for _, body := range []string{posts[assetsPath], `{"assets":[]}`, `{"assets":[{"content":"a","groupId":999}]}`} {
			got := s.post(assetsPath, key, dryRun(body))
			if c.permitted {
				require.NotEqual(t, 401, got.Status, reason)
			} else {
				requireError(t, got, assetsPath, 401, "UNAUTHORIZED", "Authorization not provided")
			}
		}
	}
	got := s.post(assetsPath, "apg_only_the_scope_of_adding", `{"assets":[{"content":"https://new.example.com"}],"dryRun":false}`)
	require.Equal(t, http.StatusOK, got.Status, "no dry run")
}
