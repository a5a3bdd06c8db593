package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/report"
)

// The reports of the seed as the listings show them.
const (
	report1 = `{"id":1,"title":"Bad site","description":"It lies","status":"CLOSED",` +
		`"createdAt":"2025-01-05T10:00:00.000Z","updatedAt":"2025-01-05T11:00:00.500Z","brandId":3,` +
		`"reporter":{"id":1,"fullName":"Ada Lovelace","email":"ada@acme.test","automation":false},` +
		`"proposals":[{"id":1,"asset":{"id":1,"type":"URL","content":"https://bad.example.com","status":"BLOCKED"},` +
		`"proposedStatus":"BLOCKED","reviewStatus":"APPROVE","reviewedBy":1,"reviewedAt":"2025-01-05T11:00:00.500Z"}]}`
	report2 = `{"id":2,"title":"","description":"","status":"IN_PROGRESS",` +
		`"createdAt":"2025-01-07T00:00:00.000Z","updatedAt":"2025-01-07T00:00:00.000Z","brandId":null,` +
		`"reporter":{"id":2,"fullName":null,"email":null,"automation":true},` +
		`"proposals":[{"id":2,"asset":{"id":3,"type":"URL","content":"https://quiet.example.com","status":"UNKNOWN"},` +
		`"proposedStatus":"ALLOWED","reviewStatus":"REJECT","reviewedBy":null,"reviewedAt":null},` +
		`{"id":3,"asset":{"id":1,"type":"URL","content":"https://bad.example.com","status":"BLOCKED"},` +
		`"proposedStatus":"ALLOWED","reviewStatus":null,"reviewedBy":null,"reviewedAt":null}]}`
	report4 = `{"id":4,"title":"100%","description":"","status":"TODO",` +
		`"createdAt":"2025-01-09T00:00:00.000Z","updatedAt":"2025-01-09T00:00:00.000Z","brandId":null,` +
		`"reporter":null,"proposals":[]}`
)

func page(next string, reports ...string) string {
	return `{"reports":[` + strings.Join(reports, ",") + `],"nextCursor":` + next + `}`
}

// Each case is asked both ways: as the fields of a body, and as a query.
func TestListReports(t *testing.T) {
	t.Parallel()
	s := start(t)
	all := []string{report4, report2, report1}
	for reason, c := range map[string]struct {
		fields string
		query  string
		want   []string
	}{
		"everything, newest first":      {``, "", all},
		"everything null, or empty":     {`"cursor":null,"status":null,"searchQuery":null,"reporterQuery":null,"excludeAutomation":null,"onlyRejected":null,"reviewStatuses":null,"reviewedByUserId":null,"startDate":null,"endDate":null,"brandIds":null`, "cursor=&status=&searchQuery=&reporterQuery=&excludeAutomation=&onlyRejected=&reviewStatuses=&reviewedByUserId=&startDate=&endDate=&brandIds=", all},
		"an unknown name":               {`"x":1`, "", all},
		"a status":                      {`"status":"CLOSED"`, "status=CLOSED", []string{report1}},
		"a word in the title":           {`"searchQuery":"BAD SITE"`, "searchQuery=BAD+SITE", []string{report1}},
		"a word in an asset":            {`"searchQuery":"Quiet"`, "searchQuery=Quiet", []string{report2}},
		"a sign that means all in SQL":  {`"searchQuery":"%"`, "searchQuery=%25", []string{report4}},
		"a sign that means one in SQL":  {`"searchQuery":"_"`, "searchQuery=_", nil},
		"a blank search":                {`"searchQuery":"  ","reporterQuery":"\t"`, "searchQuery=++&reporterQuery=%09", all},
		"an empty search":               {`"searchQuery":"","reporterQuery":""`, "searchQuery=&reporterQuery=", all},
		"the reporter's name":           {`"reporterQuery":"LOVE"`, "reporterQuery=LOVE", []string{report1}},
		"the reporter's address":        {`"reporterQuery":"@acme"`, "reporterQuery=%40acme", []string{report1}},
		"without automation":            {`"excludeAutomation":true`, "excludeAutomation=true", []string{report4, report1}},
		"with automation":               {`"excludeAutomation":false`, "excludeAutomation=false", all},
		"only rejected":                 {`"onlyRejected":true`, "onlyRejected=true", []string{report2}},
		"a review status":               {`"reviewStatuses":["APPROVE"]`, "reviewStatuses=APPROVE", []string{report1}},
		"one of two review statuses":    {`"reviewStatuses":["APPROVE","REJECT"]`, "reviewStatuses=APPROVE,REJECT", []string{report2, report1}},
		"one of several, repeated":      {`"reviewStatuses":["APPROVE","REJECT","SKIP","APPROVE"]`, "reviewStatuses=APPROVE&reviewStatuses=REJECT,SKIP,&reviewStatuses=&reviewStatuses=APPROVE", []string{report2, report1}},
		"empty lists":                   {`"reviewStatuses":[],"brandIds":[]`, "reviewStatuses=,&brandIds=,,", all},
		"the reviewer":                  {`"reviewedByUserId":1`, "reviewedByUserId=1", []string{report1}},
		"another reviewer":              {`"reviewedByUserId":9007199254740991`, "reviewedByUserId=9007199254740991", nil},
		"a number as a fraction":        {`"reviewedByUserId":1.0`, "reviewedByUserId=1.0", []string{report1}},
		"a brand":                       {`"brandIds":[3]`, "brandIds=3", []string{report1}},
		"one of several brands":         {`"brandIds":[4,0.3e1]`, "brandIds=4&brandIds=0.3e1", []string{report1}},
		"days, both included":           {`"startDate":"2025-01-05","endDate":"2025-01-07"`, "startDate=2025-01-05&endDate=2025-01-07", []string{report2, report1}},
		"times, both included":          {`"startDate":"2025-01-05T10:00:00Z","endDate":"2025-01-07T01:00:00+01:00"`, "startDate=2025-01-05T10:00:00Z&endDate=2025-01-07T01:00:00%2B01:00", []string{report2, report1}},
		"a time too late":               {`"startDate":"2025-01-05T10:00:00.001Z","endDate":"2025-01-07"`, "startDate=2025-01-05T10:00:00.001Z&endDate=2025-01-07", []string{report2}},
		"after a cursor":                {`"cursor":4`, "cursor=4", []string{report2, report1}},
		"after the last":                {`"cursor":1`, "cursor=1", nil},
		"a cursor that nothing ever is": {`"cursor":9223372036854775807`, "cursor=9223372036854775807", all},
		"a cursor beyond 64 bits":       {`"cursor":9223372036854775808`, "cursor=9223372036854775808", all},
		"a cursor beyond all":           {`"cursor":1e30`, "cursor=1e30", all},
		"filters together":              {`"status":"IN_PROGRESS","onlyRejected":true,"searchQuery":"bad"`, "status=IN_PROGRESS&onlyRejected=true&searchQuery=bad", []string{report2}},
	} {
		t.Run(reason, func(t *testing.T) {
			body := `{"slug":"acme","limit":20,` + c.fields + `}`
			got := s.post(oldReports, acmeKey, strings.Replace(body, ",}", "}", 1))
			require.Equal(t, http.StatusOK, got.Status, got.Body)
			require.Equal(t, page("null", c.want...), got.Body)
			got = s.get(newReports+"?"+c.query, acmeKey)
			require.Equal(t, http.StatusOK, got.Status, got.Body)
			require.Equal(t, page("null", c.want...), got.Body)
		})
	}
}

func TestListReports_Pages(t *testing.T) {
	t.Parallel()
	s := start(t)
	require.Equal(t, page("4", report4), s.post(oldReports, acmeKey, `{"slug":"acme","limit":1}`).Body)
	require.Equal(t, page("2", report2), s.post(oldReports, acmeKey, `{"slug":"acme","limit":1e0,"cursor":4.0}`).Body)
	require.Equal(t, page("null", report1), s.post(oldReports, acmeKey, `{"slug":"acme","limit":1,"cursor":2}`).Body)
	require.Equal(t, page("2", report4, report2), s.get(newReports+"?limit=2", acmeKey).Body)
	require.Equal(t, page("null", report1), s.get(newReports+"?limit=2&cursor=2", acmeKey).Body)
	require.Equal(t, page("null", report4, report2, report1), s.get(newReports+"?limit=3", acmeKey).Body)
}

func TestListReports_Limit(t *testing.T) {
	t.Parallel()
	s := start(t)
	for range 120 {
		_, err := s.guard.Reports.File(t.Context(), report.FileRequest{OrganizationID: 2})
		require.NoError(t, err)
	}
	for target, size := range map[string]int{"": 50, "?limit=": 50, "?limit=1": 1, "?limit=100": 100} {
		require.Len(t, decode(t, s.get(newReports+target, globexKey).Body)["reports"], size, target)
	}
	for _, size := range []int{1, 20} {
		body := `{"slug":"globex","limit":` + strconv.Itoa(size) + `}`
		require.Len(t, decode(t, s.post(oldReports, globexKey, body).Body)["reports"], size)
	}
}

func TestListReports_HEAD(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(start(t))
	defer server.Close()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodHead, server.URL+newReports, nil)
	require.NoError(t, err)
	r.Header.Set("X-API-KEY", acmeKey)
	got, err := server.Client().Do(r)
	require.NoError(t, err)
	require.NoError(t, got.Body.Close())
	require.Equal(t, http.StatusOK, got.StatusCode)
	require.EqualValues(t, len(page("null", report4, report2, report1)), got.ContentLength)
	require.Empty(t, got.Header.Get("Deprecation"))
}

func TestListReports_InvalidInput(t *testing.T) {
	t.Parallel()
	const (
		size     = "limit: must be from 1 to 20"
		noSize   = "limit: must be a whole number from 1 to 20"
		noSizeQ  = "limit: must be a whole number from 1 to 100"
		noCursor = "cursor: must be a whole number from 1"
		id       = " must be a whole number from 1 to 2^53-1"
		boolean  = " must be true or false"
		noDate   = " must be an existing date, written YYYY-MM-DD or as RFC 3339 has it"
		lonely   = " is required when the other end of the period is given"
		statuses = "status: must be TODO, IN_PROGRESS or CLOSED"
		reviews  = "reviewStatuses: must be APPROVE, REJECT, SKIP or ESCALATE"
	)
	s := start(t)
	for reason, c := range map[string]struct {
		body   string
		issues []string
	}{
		"nothing at all":                      {`{}`, []string{"slug: is required", "limit: is required"}},
		"slug empty":                          {`{"slug":"","limit":1}`, []string{"slug: must not be empty"}},
		"slug a number":                       {`{"slug":1,"limit":1}`, []string{"slug: must be a string"}},
		"NUL in the slug":                     {`{"slug":"acme\u0000","limit":1}`, []string{"slug: must be valid UTF-8 without NUL"}},
		"limit 0":                             {`{"slug":"acme","limit":0}`, []string{size}},
		"limit 21":                            {`{"slug":"acme","limit":21}`, []string{size}},
		"limit not whole":                     {`{"slug":"acme","limit":1.5}`, []string{noSize}},
		"limit a string":                      {`{"slug":"acme","limit":"1"}`, []string{noSize}},
		"a slug of others, and wrong":         {`{"slug":"globex","limit":0}`, []string{size}},
		"cursor 0":                            {`{"slug":"acme","limit":1,"cursor":0}`, []string{noCursor}},
		"cursor a string":                     {`{"slug":"acme","limit":1,"cursor":"4"}`, []string{noCursor}},
		"status unknown":                      {`{"slug":"acme","limit":1,"status":"OPEN"}`, []string{statuses}},
		"status in other letters":             {`{"slug":"acme","limit":1,"status":"todo"}`, []string{statuses}},
		"status empty":                        {`{"slug":"acme","limit":1,"status":""}`, []string{"status: must not be empty"}},
		"status a list":                       {`{"slug":"acme","limit":1,"status":["TODO"]}`, []string{"status: must be a string"}},
		"searches of no text":                 {`{"slug":"acme","limit":1,"searchQuery":1,"reporterQuery":{}}`, []string{"searchQuery: must be a string", "reporterQuery: must be a string"}},
		"NUL in a search":                     {`{"slug":"acme","limit":1,"searchQuery":"\u0000"}`, []string{"searchQuery: must be valid UTF-8 without NUL"}},
		"flags of another kind":               {`{"slug":"acme","limit":1,"excludeAutomation":"true","onlyRejected":1}`, []string{"excludeAutomation:" + boolean, "onlyRejected:" + boolean}},
		"reviewStatuses a string":             {`{"slug":"acme","limit":1,"reviewStatuses":"REJECT"}`, []string{"reviewStatuses: must be an array"}},
		"reviewStatuses unknown":              {`{"slug":"acme","limit":1,"reviewStatuses":["REJECT","TODO"]}`, []string{reviews}},
		"reviewStatuses of two faults":        {`{"slug":"acme","limit":1,"reviewStatuses":["TODO",null,""]}`, []string{"reviewStatuses[1]: must be a string", "reviewStatuses[2]: must not be empty", reviews}},
		"reviewedByUserId 0":                  {`{"slug":"acme","limit":1,"reviewedByUserId":0}`, []string{"reviewedByUserId:" + id}},
		"reviewedByUserId 2^53":               {`{"slug":"acme","limit":1,"reviewedByUserId":9007199254740992}`, []string{"reviewedByUserId:" + id}},
		"brandIds a number":                   {`{"slug":"acme","limit":1,"brandIds":3}`, []string{"brandIds: must be an array"}},
		"brandIds of wrong ones":              {`{"slug":"acme","limit":1,"brandIds":[3,"4",0,null,1e400,[5]]}`, []string{"brandIds[1]:" + id, "brandIds[2]:" + id, "brandIds[3]:" + id, "brandIds[4]:" + id, "brandIds[5]:" + id}},
		"only a start":                        {`{"slug":"acme","limit":1,"startDate":"2025-01-05"}`, []string{"endDate:" + lonely}},
		"only an end":                         {`{"slug":"acme","limit":1,"startDate":null,"endDate":"2025-01-05"}`, []string{"startDate:" + lonely}},
		"a period that ends before it begins": {`{"slug":"acme","limit":1,"startDate":"2025-01-06","endDate":"2025-01-05T23:59:59Z"}`, []string{"startDate: must not be after endDate"}},
		"a date of another kind":              {`{"slug":"acme","limit":1,"startDate":1735689600,"endDate":"2025-01-05"}`, []string{"startDate: must be a string"}},
		"everything": {
			`{"slug":1,"limit":"x","cursor":[],"status":"x","searchQuery":1,"excludeAutomation":0,"reviewStatuses":["x"],"startDate":"x"}`,
			[]string{"slug: must be a string", noSize, "searchQuery: must be a string", "excludeAutomation:" + boolean, noCursor, "startDate:" + noDate, "endDate:" + lonely, statuses, reviews},
		},
	} {
		t.Run(reason, func(t *testing.T) {
			got := s.post(oldReports, acmeKey, c.body)
			requireInvalid(t, got, c.issues...)
		})
	}

	for reason, c := range map[string]struct {
		query  string
		issues []string
	}{
		"limit 0":                  {"limit=0", []string{"limit: must be from 1 to 100"}},
		"limit 101":                {"limit=101", []string{"limit: must be from 1 to 100"}},
		"limit not whole":          {"limit=1.5", []string{noSizeQ}},
		"cursor not a number":      {"cursor=x", []string{noCursor}},
		"limit not a number":       {"limit=ten", []string{noSizeQ}},
		"status twice":             {"status=TODO&status=CLOSED", []string{"status: must be given once"}},
		"statuses with a comma":    {"status=TODO,CLOSED", []string{statuses}},
		"a flag in capitals":       {"onlyRejected=TRUE", []string{"onlyRejected:" + boolean}},
		"a flag twice":             {"onlyRejected=true&onlyRejected=false", []string{"onlyRejected: must be given once"}},
		"an invalid brand":         {"brandIds=3,x&brandIds=-1", []string{"brandIds[1]:" + id, "brandIds[2]:" + id}},
		"an invalid review status": {"reviewStatuses=REJECT,reject", []string{reviews}},
		"only a start":             {"startDate=2025-01-05&endDate=", []string{"endDate:" + lonely}},
		"a start twice":            {"startDate=2025-01-05&startDate=2025-01-06&endDate=2025-01-07", []string{"startDate: must be given once"}},
		"several faults":           {"limit=0&cursor=0&status=x", []string{"limit: must be from 1 to 100", noCursor, statuses}},
	} {
		t.Run("query: "+reason, func(t *testing.T) {
			r := newGet(newReports, acmeKey)
			r.URL.RawQuery = c.query
			got := s.do(r)
			requireInvalid(t, got, c.issues...)
		})
	}
	require.Empty(t, s.log.String())
}

func TestListReportsOfSlug_AnotherSlug(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, slug := range []string{"globex", "ACME", " acme", "nobody", "acme\u200b"} {
		body := `{"limit":1,"slug":` + quote(slug) + `}`
		requireError(t, s.post(oldReports, acmeKey, body), oldReports, http.StatusForbidden, "FORBIDDEN", "Insufficient access")
	}
}
