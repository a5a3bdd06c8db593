package httpapi_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
)

// added and failed are elements of the results of a batch add.
func added(content, id string) string {
	return `{"content":` + quote(content) + `,"success":true,"id":` + id + `}`
}

func failed(content, message string) string {
	return `{"content":` + quote(content) + `,"success":false,"error":` + quote(message) + `}`
}

func TestAddAssets(t *testing.T) {
	t.Parallel()
	s := start(t)
	got := s.post(assetsPath, acmeKey, `{"assets":[
		{"content":" https://NEW.example.com/ ","name":"Shop","description":"Ours","groupId":7},
		{"content":"new.example.com"},
		{"content":"HTTPS://new.example.com"},
		{"content":"no such thing","groupId":"7"},
		{"content":"https://bad.example.com","name":null,"description":null,"groupId":null,"else":[1]},
		{"content":"@handle_x"},
		{"content":"handle_x"},
		{}
	]}`)
	require.Equal(t, http.StatusOK, got.Status, got.Body)
	require.Equal(t, `{"results":[`+strings.Join([]string{
		added(" https://NEW.example.com/ ", "4"),
		added("new.example.com", "5"),
		failed("HTTPS://new.example.com", "Asset already exists in organization"),
		failed("no such thing", "Invalid asset format"),
		added("https://bad.example.com", "1"),
		added("@handle_x", "6"),
		failed("handle_x", "Asset already exists in organization"),
		failed("", "Content is required"),
	}, ",")+`],"successCount":4,"errorCount":4}`, got.Body)

	listed, err := s.guard.Allowlist.List(context.Background(), allowlist.ListRequest{OrganizationID: 1})
	require.NoError(t, err)
	require.Len(t, listed.Entries, 4)
	require.Equal(t, "Shop", listed.Entries[1].Name)
	require.Equal(t, "Ours", listed.Entries[1].Description)
	require.EqualValues(t, 7, listed.Entries[1].GroupID)
	require.Equal(t, asset.StatusAllowed, listed.Entries[0].Asset.Status)

	page, err := s.guard.Assets.ListChanges(context.Background(), asset.ListChangesRequest{Filter: asset.ChangeFilter{From: asset.StatusBlocked}, Limit: 10})
	require.NoError(t, err)
	require.Len(t, page.Changes, 1)
	require.EqualValues(t, 1, page.Changes[0].Origin.Actor, "the key's user")
}

func TestAddAssets_Items(t *testing.T) {
	t.Parallel()
	const (
		format  = "Invalid asset format"
		content = "Content is required"
		group   = "Invalid group ID"
		expiry  = "Invalid expiry"
	)
	for reason, c := range map[string]struct{ element, submitted, message string }{
		"no content":                      {`{"name":"x"}`, "", content},
		"content null":                    {`{"content":null}`, "", content},
		"content empty":                   {`{"content":""}`, "", content},
		"content blank":                   {`{"content":" \t\u00a0"}`, " \t\u00a0", content},
		"content under another name":      {`{"text":"https://new.example.com"}`, "", content},
		"NUL in the content":              {`{"content":"https://new.example.com/\u0000"}`, "https://new.example.com/\x00", format},
		"a control code in the content":   {`{"content":"https://new\u0007.example.com"}`, "https://new\a.example.com", format},
		"a direction mark in the content": {`{"content":"\u202ehttps://new.example.com"}`, "\u202ehttps://new.example.com", format},
		"content that is far too long":    {`{"content":"` + strings.Repeat("a", 10_000) + `"}`, strings.Repeat("a", 10_000), format},
		"groupId a string":                {`{"content":"https://new.example.com","groupId":"7"}`, "https://new.example.com", group},
		"groupId true":                    {`{"content":"https://new.example.com","groupId":true}`, "https://new.example.com", group},
		"groupId a list":                  {`{"content":"https://new.example.com","groupId":[7]}`, "https://new.example.com", group},
		"groupId an object":               {`{"content":"https://new.example.com","groupId":{}}`, "https://new.example.com", group},
		"groupId not whole":               {`{"content":"https://new.example.com","groupId":1.5}`, "https://new.example.com", group},
		"groupId 0":                       {`{"content":"https://new.example.com","groupId":0}`, "https://new.example.com", group},
		"groupId -0":                      {`{"content":"https://new.example.com","groupId":-0}`, "https://new.example.com", group},
		"groupId negative":                {`{"content":"https://new.example.com","groupId":-7}`, "https://new.example.com", group},
		"groupId 2^53":                    {`{"content":"https://new.example.com","groupId":9007199254740992}`, "https://new.example.com", group},
		"groupId beyond 64 bits":          {`{"content":"https://new.example.com","groupId":18446744073709551623}`, "https://new.example.com", group},
		"groupId beyond all floats":       {`{"content":"https://new.example.com","groupId":1e400}`, "https://new.example.com", group},
		"content before groupId":          {`{"content":"no such thing","groupId":0}`, "no such thing", format},
		"expiresAt empty":                 {`{"content":"https://new.example.com","expiresAt":""}`, "https://new.example.com", expiry},
		"expiresAt a date":                {`{"content":"https://new.example.com","expiresAt":"2030-01-01"}`, "https://new.example.com", expiry},
		"expiresAt without a zone":        {`{"content":"https://new.example.com","expiresAt":"2030-01-01T00:00:00"}`, "https://new.example.com", expiry},
		"expiresAt on a day that is none": {`{"content":"https://new.example.com","expiresAt":"2030-02-30T00:00:00Z"}`, "https://new.example.com", expiry},
		"expiresAt now":                   {`{"content":"https://new.example.com","expiresAt":"2025-06-01T12:00:00.123456789Z"}`, "https://new.example.com", expiry},
		"expiresAt in the same millisecond": {
			`{"content":"https://new.example.com","expiresAt":"2025-06-01T12:00:00.123999Z"}`, "https://new.example.com", expiry,
		},
		"expiresAt in the past":         {`{"content":"https://new.example.com","expiresAt":"0001-01-01T00:00:00Z"}`, "https://new.example.com", expiry},
		"expiresAt after year 9999":     {`{"content":"https://new.example.com","expiresAt":"9999-12-31T23:59:59-23:59"}`, "https://new.example.com", expiry},
		"groupId before expiresAt":      {`{"content":"https://new.example.com","groupId":0,"expiresAt":""}`, "https://new.example.com", group},
		"content before expiresAt":      {`{"content":"no such thing","expiresAt":""}`, "no such thing", format},
		"expiresAt null":                {`{"content":"https://new.example.com","expiresAt":null}`, "https://new.example.com", ""},
		"expiresAt a millisecond later": {`{"content":"https://new.example.com","expiresAt":"2025-06-01T12:00:00.124Z"}`, "https://new.example.com", ""},
		"expiresAt in another zone":     {`{"content":"https://new.example.com","expiresAt":"2025-06-01t14:00:01+02:00"}`, "https://new.example.com", ""},
		"groupId 7.0":                   {`{"content":"https://new.example.com","groupId":7.0}`, "https://new.example.com", ""},
		"groupId 0.7e1":                 {`{"content":"https://new.example.com","groupId":0.7e1}`, "https://new.example.com", ""},
		"groupId 700e-2":                {`{"content":"https://new.example.com","groupId":700E-2}`, "https://new.example.com", ""},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			s := start(t)
			got := s.post(assetsPath, acmeKey, `{"assets":[`+c.element+`]}`)
			require.Equal(t, http.StatusOK, got.Status, got.Body)
			want := `{"results":[` + failed(c.submitted, c.message) + `],"successCount":0,"errorCount":1}`
			if c.message == "" {
				want = `{"results":[` + added(c.submitted, "4") + `],"successCount":1,"errorCount":0}`
			}
			require.JSONEq(t, want, got.Body)
		})
	}
}

func TestAddAssets_Errors(t *testing.T) {
	t.Parallel()
	s := start(t)
	good := `{"content":"https://new.example.com"}`
	many := func(element string, count int) string {
		return `{"assets":[` + strings.TrimSuffix(strings.Repeat(element+",", count), ",") + `]}`
	}
	const wrong = "Invalid input data: "
	for reason, c := range map[string]struct {
		body          string
		status        int
		code, message string
	}{
		"no assets":                       {`{}`, 400, "BAD_REQUEST", wrong + "assets is required"},
		"assets null":                     {`{"assets":null}`, 400, "BAD_REQUEST", wrong + "assets is required"},
		"assets under another name":       {`{"list":[` + good + `]}`, 400, "BAD_REQUEST", wrong + "assets is required"},
		"assets a string":                 {`{"assets":"https://new.example.com"}`, 400, "BAD_REQUEST", wrong + "assets must be an array"},
		"assets an object":                {`{"assets":` + good + `}`, 400, "BAD_REQUEST", wrong + "assets must be an array"},
		"no asset":                        {`{"assets":[]}`, 400, "BAD_REQUEST", wrong + "assets must hold 1 to 1000 elements"},
		"too many":                        {many(good, 1001), 400, "BAD_REQUEST", "Maximum 1000 assets allowed per request"},
		"too many invalid ones":           {many(`1`, 1001), 400, "BAD_REQUEST", "Maximum 1000 assets allowed per request"},
		"too many, of no group":           {many(`{"content":"a","groupId":999}`, 1001), 400, "BAD_REQUEST", "Maximum 1000 assets allowed per request"},
		"an element that is a string":     {`{"assets":[` + good + `,"https://new.example.com"]}`, 400, "BAD_REQUEST", wrong + "assets[1] must be an object"},
		"an element that is null":         {`{"assets":[null]}`, 400, "BAD_REQUEST", wrong + "assets[0] must be an object"},
		"an element that is a list":       {`{"assets":[[]]}`, 400, "BAD_REQUEST", wrong + "assets[0] must be an object"},
		"a content that is a number":      {`{"assets":[` + good + `,{"content":5}]}`, 400, "BAD_REQUEST", wrong + "assets[1].content must be a string"},
		"a content that is an object":     {`{"assets":[{"content":{}}]}`, 400, "BAD_REQUEST", wrong + "assets[0].content must be a string"},
		"a name that is a number":         {`{"assets":[` + good + `,` + good + `,` + good + `,{"content":"a","name":5}]}`, 400, "BAD_REQUEST", wrong + "assets[3].name must be a string"},
		"a description that is a list":    {`{"assets":[{"content":"a","description":["b"]}]}`, 400, "BAD_REQUEST", wrong + "assets[0].description must be a string"},
		"NUL in a name":                   {`{"assets":[{"content":"a","name":"\u0000"}]}`, 400, "BAD_REQUEST", wrong + "assets[0].name must be valid UTF-8 without NUL"},
		"several faults":                  {`{"assets":[{"content":1,"name":2},3,{"description":"\u0000"}]}`, 400, "BAD_REQUEST", wrong + "assets[0].content must be a string; assets[0].name must be a string; assets[1] must be an object; assets[2].description must be valid UTF-8 without NUL"},
		"a name that is too long":         {`{"assets":[{"content":"a","name":"` + strings.Repeat("n", 201) + `"}]}`, 400, "BAD_REQUEST", wrong + "assets[0].name must be at most 200 bytes long"},
		"a description that is too long":  {`{"assets":[{"content":"a","description":"` + strings.Repeat("d", 10_001) + `"}]}`, 400, "BAD_REQUEST", wrong + "assets[0].description must be at most 10000 bytes long"},
		"too long and of a wrong type":    {`{"assets":[{"content":"a","name":1},{"content":"a","name":"` + strings.Repeat("n", 201) + `"}]}`, 400, "BAD_REQUEST", wrong + "assets[0].name must be a string; assets[1].name must be at most 200 bytes long"},
		"an end that is a number":         {`{"assets":[{"content":"a","expiresAt":1900000000}]}`, 400, "BAD_REQUEST", wrong + "assets[0].expiresAt must be a string"},
		"an end that is false":            {`{"assets":[` + good + `,{"content":"a","expiresAt":false}]}`, 400, "BAD_REQUEST", wrong + "assets[1].expiresAt must be a string"},
		"an unknown group":                {`{"assets":[` + good + `,{"content":"https://other.example.com","groupId":999}]}`, 404, "NOT_FOUND", "Group with ID 999 not found"},
		"a group of another organization": {`{"assets":[{"content":"https://new.example.com","groupId":8}]}`, 404, "NOT_FOUND", "Group with ID 8 not found"},
		"the largest group ID":            {`{"assets":[{"content":"https://new.example.com","groupId":9007199254740991}]}`, 404, "NOT_FOUND", "Group with ID 9007199254740991 not found"},
		"a group ID in another way":       {`{"assets":[{"content":"https://new.example.com","groupId":9.99e2}]}`, 404, "NOT_FOUND", "Group with ID 999 not found"},
		"a group of a refused content":    {`{"assets":[{"content":"no such thing","groupId":999}]}`, 404, "NOT_FOUND", "Group with ID 999 not found"},
	} {
		t.Run(reason, func(t *testing.T) {
			requireError(t, s.post(assetsPath, acmeKey, c.body), assetsPath, c.status, c.code, c.message)
		})
	}
	listed, err := s.guard.Allowlist.List(context.Background(), allowlist.ListRequest{OrganizationID: 1})
	require.NoError(t, err)
	require.Empty(t, listed.Entries, "nothing was added")
}

func TestAddAssets_Maximum(t *testing.T) {
	t.Parallel()
	s := start(t)
	body := `{"assets":[` + strings.TrimSuffix(strings.Repeat(`{"content":"https://new.example.com"},`, 1000), ",") + `]}`
	got := s.post(assetsPath, acmeKey, body)
	require.Equal(t, http.StatusOK, got.Status)
	require.True(t, strings.HasSuffix(got.Body, `"successCount":1,"errorCount":999}`))
	require.Len(t, decode(t, got.Body)["results"], 1000)
}

func TestAddAssets_LongestTexts(t *testing.T) {
	t.Parallel()
	s := start(t)
	got := s.post(assetsPath, acmeKey, `{"assets":[{"content":"https://new.example.com","name":"`+strings.Repeat("\u00e9", 100)+
		`","description":"`+strings.Repeat("d", 10_000)+`"}]}`)
	require.Equal(t, `{"results":[`+added("https://new.example.com", "4")+`],"successCount":1,"errorCount":0}`, got.Body)
}

func TestAddAssets_RefuseBlocked(t *testing.T) {
	t.Parallel()
	s := startWith(t, setup{guard: apguard.Options{RefuseBlocked: true}})
	got := s.post(assetsPath, acmeKey, `{"assets":[{"content":"https://bad.example.com"}]}`)
	require.Equal(t, `{"results":[`+failed("https://bad.example.com", "Asset is blocked")+`],"successCount":0,"errorCount":1}`, got.Body)
}

// What was UNKNOWN on a dry run and is BLOCKED now is added only without the condition.
func TestAddAssets_RefuseBlockedAsset(t *testing.T) {
	t.Parallel()
	for condition, want := range map[string]string{
		`,"refuseBlocked":true`:  failed("https://new.example.com", "Asset is blocked"),
		`,"refuseBlocked":false`: added("https://new.example.com", "4"),
		`,"refuseBlocked":null`:  added("https://new.example.com", "4"),
		``:                       added("https://new.example.com", "4"),
	} {
		s := start(t)
		element := `{"content":"https://new.example.com"` + condition + `}`
		planned := s.post(assetsPath, acmeKey, dryRun(`{"assets":[`+element+`]}`))
		require.Contains(t, planned.Body, `"verdict":"UNKNOWN"`)
		require.Contains(t, planned.Body, `"successCount":1`)
		_, err := s.guard.Assets.SetStatus(t.Context(), asset.SetStatusRequest{
			Identity: asset.Identity{Type: asset.TypeURL, Canonical: "https://new.example.com"}, Status: asset.StatusBlocked,
		})
		require.NoError(t, err)
		got := s.post(assetsPath, acmeKey, `{"assets":[`+element+`]}`)
		require.Contains(t, got.Body, `"results":[`+want+`]`, condition)
	}
	s := start(t)
	got := s.post(assetsPath, acmeKey, `{"assets":[{"content":"https://new.example.com","refuseBlocked":"yes"}]}`)
	requireError(t, got, assetsPath, 400, "BAD_REQUEST", "Invalid input data: assets[0].refuseBlocked must be true or false")
	got = s.post(assetsPath, acmeKey, `{"assets":[{"content":"https://new.example.com","refuse_blocked":true}]}`)
	requireError(t, got, assetsPath, 400, "BAD_REQUEST", "Invalid input data: assets[0].refuse_blocked unknown field, did you mean refuseBlocked?")
}

func TestAddAssets_ExpiresAt(t *testing.T) {
	t.Parallel()
	clock := now
	s := startWith(t, setup{guard: apguard.Options{Clock: func() time.Time { return clock }}})
	body := `{"assets":[{"content":"https://bad.example.com","expiresAt":"2025-06-01T12:00:01.5Z"},{"content":"https://new.example.com"}]}`
	want := `{"results":[` + added("https://bad.example.com", "1") + "," + added("https://new.example.com", "4") + `],"successCount":2,"errorCount":0}`
	require.Equal(t, want, s.post(assetsPath, acmeKey, body).Body)
	require.Contains(t, s.post(assetsPath, acmeKey, dryRun(body)).Body, `"successCount":0`)
	listed, err := s.guard.Allowlist.List(context.Background(), allowlist.ListRequest{OrganizationID: 1})
	require.NoError(t, err)
	require.Equal(t, at("2025-06-01T12:00:01.5Z"), listed.Entries[0].ExpiresAt)
	require.Zero(t, listed.Entries[1].ExpiresAt)

	clock = at("2025-06-01T12:00:01.5Z")
	again := `{"assets":[{"content":"https://bad.example.com"}]}`
	require.Contains(t, s.post(assetsPath, acmeKey, dryRun(again)).Body, `"successCount":1`, "it can be added again")
	require.Contains(t, s.post(removePath, acmeKey, `{"ids":[1]}`).Body, `"Asset not found in organization"`)
	removed, err := s.guard.Allowlist.Expire(context.Background())
	require.NoError(t, err)
	require.EqualValues(t, 1, removed)
	a, err := s.guard.Asset(context.Background(), "https://bad.example.com")
	require.NoError(t, err)
	require.Equal(t, asset.StatusBlocked, a.Status)
}
