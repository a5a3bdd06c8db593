package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/request"
)

// specified are the operations of the specification.
var specified = map[string]bool{changelogPath: true, disputePath: true, assetsPath: true, oldReports: true}

// requireUnknown requires a 400 response with one issue, of a field.
func requireUnknown(t *testing.T, got response, path, field, issue string) {
	t.Helper()
	require.Equal(t, http.StatusBadRequest, got.Status, got.Body)
	if changesAllowlist(path) {
		require.Equal(t, wrapped("BAD_REQUEST", "Invalid input data: "+field+" "+issue), got.Body)
	} else {
		require.Equal(t, invalid(field+": "+issue), got.Body)
	}
}

// withMember returns an object with another member in front.
func withMember(body, member string) string {
	return strings.Replace("{"+member+","+body[1:], ",}", "}", 1)
}

// A name that is nearly a field is refused by every operation. Any other unknown name is ignored
// only by the operations of the specification.
func TestDecodeBody_Unknown(t *testing.T) {
	t.Parallel()
	near := map[string]string{
		changelogPath: "type", checkPath: "content", batchPath: "contents", disputePath: "content",
		assetsPath: "dryRun", removePath: "ids", oldReports: "searchQuery",
		reportPath: "title",
	}
	for path, body := range posts {
		field := near[path]
		for _, name := range []string{strings.ToUpper(field), strings.ToUpper(field[:1]) + field[1:], "_" + field, field[:2] + "-" + field[2:] + "_"} {
			got := start(t).post(path, acmeKey, withMember(body, quote(name)+":null"))
			requireUnknown(t, got, path, name, "unknown field, did you mean "+field+"?")
		}
		for _, name := range []string{"", "__", field + "s2", "proto", field + " "} {
			got := start(t).post(path, acmeKey, withMember(body, quote(name)+":{}"))
			switch {
			case specified[path]:
				require.Equal(t, http.StatusOK, got.Status, got.Body)
			case name == "":
				require.Equal(t, http.StatusBadRequest, got.Status, got.Body)
			default:
				requireUnknown(t, got, path, name, "unknown field")
			}
		}
	}
}

// The elements of a batch add are objects of the specification too.
func TestAddAssets_Unknown(t *testing.T) {
	t.Parallel()
	s := start(t)
	long := "content" + strings.Repeat("-", 200)
	for _, c := range [][2]string{{"Content", "content"}, {"group_id", "groupId"}, {"expiresat", "expiresAt"}, {"NAME", "name"}, {long, "content"}} {
		got := s.post(assetsPath, acmeKey, `{"assets":[{"content":"a.example.com"},{"content":"b.example.com","`+c[0]+`":7}]}`)
		field := c[0]
		if len(field) > 100 {
			field = field[:100] + "..."
		}
		requireUnknown(t, got, assetsPath, "assets[1]."+field, "unknown field, did you mean "+c[1]+"?")
	}
	got := s.post(assetsPath, acmeKey, `{"assets":[{"content":"a.example.com","note":{"Content":1}}],"note":[{"dryrun":true}]}`)
	require.Equal(t, http.StatusOK, got.Status, got.Body)
}

// An unknown parameter is refused unless the operation is one of the specification.
func TestDecodeQuery_Unknown(t *testing.T) {
	t.Parallel()
	for path, body := range posts {
		got := start(t).post(path+"?Content=&v=2", acmeKey, body)
		if specified[path] {
			require.Equal(t, http.StatusOK, got.Status, got.Body)
		} else {
			require.Equal(t, http.StatusBadRequest, got.Status, got.Body)
			require.Contains(t, got.Body, "v")
		}
	}
	s := start(t)
	for path, field := range map[string]string{assetListPath: "changedSince", exportPath: "status", newReports: "brandIds"} {
		requireInvalid(t, s.get(path+"?v=2&t2=&"+strings.ToLower(field[:3])+"_"+strings.ToUpper(field[3:])+"=x&v=3", acmeKey),
			strings.ToLower(field[:3])+"_"+strings.ToUpper(field[3:])+": unknown field, did you mean "+field+"?",
			"t2: unknown field", "v: unknown field")
	}
}

// Unknown names cannot make a response large.
func TestDecodeBody_UnknownBound(t *testing.T) {
	t.Parallel()
	s := start(t)
	for reason, body := range map[string]string{
		"many names": withNames(request.MaxNames),
		"a long one": `{"` + strings.Repeat("\u00e9", 10_000) + `":0}`,
	} {
		got := s.post(checkPath, acmeKey, body)
		require.Equal(t, http.StatusBadRequest, got.Status, reason)
		require.Less(t, len(got.Body), 100*request.MaxIssues, reason)
	}
	element := `{"CONTENT":0,"Content":0,"c_ontent":0},`
	got := s.post(assetsPath, acmeKey, `{"assets":[`+strings.TrimSuffix(strings.Repeat(element, 1000), ",")+`]}`)
	require.Equal(t, http.StatusBadRequest, got.Status)
	require.Contains(t, got.Body, "there are more issues")
}

// What a caller misspells is not lost: a dry run does not add, and a reason is not dropped.
func TestUnknown_NothingIsLost(t *testing.T) {
	t.Parallel()
	s := start(t)
	got := s.post(assetsPath, acmeKey, `{"dryrun":true,"assets":[{"content":"https://new.example.com"}]}`)
	requireUnknown(t, got, assetsPath, "dryrun", "unknown field, did you mean dryRun?")
	_, err := s.guard.Asset(t.Context(), "https://new.example.com")
	require.Error(t, err)

	o := startOperator(t)
	requireInvalid(t, o.operate("/asset/setStatus", `{"content":"good.example.com","status":"BLOCKED","why":"phishing"}`),
		"why: unknown field")
	requireInvalid(t, o.read("/dispute/get?id=1&ID=2"), "ID: unknown field, did you mean id?")
	require.Equal(t, asset.StatusAllowed, o.status("good.example.com"))
}
