package httpapi_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

const (
	badEntry  = `{"assetId":1,"type":"URL","content":"https://bad.example.com","fromStatus":"UNKNOWN","toStatus":"BLOCKED","updatedAt":"2025-01-05T10:00:00.000Z"}`
	goodEntry = `{"assetId":2,"type":"PAGE","content":"good.example.com","fromStatus":"UNKNOWN","toStatus":"ALLOWED","updatedAt":"2025-01-06T23:59:59.999Z"}`
)

func TestListChanges(t *testing.T) {
	t.Parallel()
	s := start(t)
	for reason, c := range map[string]struct{ body, entries string }{
		"everything, newest first":       {`{}`, goodEntry + "," + badEntry},
		"by type":                        {`{"type":"URL"}`, badEntry},
		"by a type that nothing has":     {`{"type":"EMAIL"}`, ""},
		"by content":                     {`{"content":"https://bad.example.com"}`, badEntry},
		"by content in another spelling": {`{"content":" HTTPS://BAD.example.com:443/ "}`, badEntry},
		"by content that is not known":   {`{"content":"https://other.example.com"}`, ""},
		"by unrecognized content":        {`{"content":"no such thing"}`, ""},
		"by blank content":               {`{"content":"  "}`, goodEntry + "," + badEntry},
		"by empty content":               {`{"content":""}`, goodEntry + "," + badEntry},
		"by old status":                  {`{"fromStatus":"UNKNOWN"}`, goodEntry + "," + badEntry},
		"by an old status not had":       {`{"fromStatus":"BLOCKED"}`, ""},
		"by new status":                  {`{"toStatus":"BLOCKED"}`, badEntry},
		"from a day on":                  {`{"startDate":"2025-01-06"}`, goodEntry},
		"up to a day":                    {`{"endDate":"2025-01-05"}`, badEntry},
		"on one day":                     {`{"startDate":"2025-01-06","endDate":"2025-01-06"}`, goodEntry},
		"all of it":                      {`{"type":"URL","content":"https://bad.example.com","fromStatus":"UNKNOWN","toStatus":"BLOCKED","startDate":"2025-01-05","endDate":"2025-01-05"}`, badEntry},
	} {
		t.Run(reason, func(t *testing.T) {
			got := s.post(changelogPath, globexKey, c.body)
			require.Equal(t, http.StatusOK, got.Status, got.Body)
			require.Equal(t, `{"changelog":[`+c.entries+`]}`, got.Body)
			require.Equal(t, strconv.Itoa(len(got.Body)), got.Header.Get("Content-Length"))
		})
	}
}

func TestListChanges_InvalidInput(t *testing.T) {
	t.Parallel()
	const (
		noType = "type: must be an asset type"
		noFrom = "fromStatus: must be UNKNOWN, ALLOWED or BLOCKED"
		noDay  = "startDate: must be an existing date, written YYYY-MM-DD"
	)
	s := start(t)
	for reason, c := range map[string]struct {
		body   string
		issues []string
	}{
		"an unknown type":                      {`{"type":"WEBSITE"}`, []string{noType}},
		"a type in other letters":              {`{"type":"url"}`, []string{noType}},
		"a type with a space":                  {`{"type":"URL "}`, []string{noType}},
		"an empty type":                        {`{"type":""}`, []string{"type: must not be empty"}},
		"a type that is a number":              {`{"type":1}`, []string{"type: must be a string"}},
		"a type that is a list":                {`{"type":["URL"]}`, []string{"type: must be a string"}},
		"a type that is an object":             {`{"type":{}}`, []string{"type: must be a string"}},
		"a type that is false":                 {`{"type":false}`, []string{"type: must be a string"}},
		"a content that is a number":           {`{"content":12}`, []string{"content: must be a string"}},
		"NUL in a content":                     {`{"content":"a\u0000"}`, []string{"content: must be valid UTF-8 without NUL"}},
		"an unknown old status":                {`{"fromStatus":"TODO"}`, []string{noFrom}},
		"an empty new status":                  {`{"toStatus":""}`, []string{"toStatus: must not be empty"}},
		"a date that the calendar has not":     {`{"startDate":"2025-02-30"}`, []string{noDay}},
		"a date with a time":                   {`{"startDate":"2025-02-03T00:00:00Z"}`, []string{noDay}},
		"a date without zeros":                 {`{"startDate":"2025-2-3"}`, []string{noDay}},
		"a blank date":                         {`{"startDate":" "}`, []string{noDay}},
		"a line break behind a date":           {`{"startDate":"2025-02-03\n"}`, []string{noDay}},
		"an empty date":                        {`{"endDate":""}`, []string{"endDate: must not be empty"}},
		"a date that is a number":              {`{"endDate":20250203}`, []string{"endDate: must be a string"}},
		"a period that ends before it begins":  {`{"startDate":"2025-01-02","endDate":"2025-01-01"}`, []string{"startDate: must not be after endDate"}},
		"everything wrong, by kind and value":  {`{"type":1,"content":true,"fromStatus":"x","toStatus":null,"startDate":"2025-13-01","endDate":[]}`, []string{"type: must be a string", "content: must be a string", "endDate: must be a string", noDay, noFrom}},
		"one half of a period of another kind": {`{"startDate":5,"endDate":"2025-01-01"}`, []string{"startDate: must be a string"}},
	} {
		t.Run(reason, func(t *testing.T) {
			got := s.post(changelogPath, acmeKey, c.body)
			requireInvalid(t, got, c.issues...)
		})
	}
	require.Empty(t, s.log.String())
}

func TestAppendChange_EveryCharacter(t *testing.T) {
	t.Parallel()
	s := start(t)
	_, err := s.guard.Assets.SetStatus(t.Context(), asset.SetStatusRequest{
		Identity: asset.Identity{Type: asset.TypeURL, Canonical: "\"\\</script>&\u2028\x01\u00e9\U0001f600"},
		Status:   asset.StatusAllowed,
	})
	require.NoError(t, err)
	got := s.post(changelogPath, acmeKey, `{"toStatus":"ALLOWED","startDate":"2025-06-01"}`)
	want := `{"changelog":[{"assetId":4,"type":"URL","content":"\"\\</script>&` + "\u2028" + `\u0001` + "\u00e9\U0001f600" +
		`","fromStatus":"UNKNOWN","toStatus":"ALLOWED","updatedAt":"2025-06-01T12:00:00.123Z"}]}`
	require.Equal(t, want, got.Body)
}

func TestListChanges_Many(t *testing.T) {
	t.Parallel()
	s := start(t)
	fill(t, s, 2500)
	got := s.post(changelogPath, acmeKey, `{}`)
	require.Equal(t, http.StatusOK, got.Status)
	entries := decode(t, got.Body)["changelog"].([]any)
	require.Len(t, entries, 2502)
	seen := make(map[any]bool)
	for _, entry := range entries {
		seen[entry.(map[string]any)["assetId"]] = true
	}
	require.Len(t, seen, 2502)
	require.True(t, strings.HasSuffix(got.Body, badEntry+"]}"))
}
