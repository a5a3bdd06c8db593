package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

// disputeIDs returns the IDs of a page, and its cursor.
func disputeIDs(t *testing.T, got response) (ids []int64, next string) {
	t.Helper()
	require.Equal(t, http.StatusOK, got.Status, got.Body)
	var page struct {
		Disputes   []struct{ ID int64 }
		NextCursor string
	}
	require.NoError(t, json.Unmarshal([]byte(got.Body), &page))
	for _, d := range page.Disputes {
		ids = append(ids, d.ID)
	}
	return ids, page.NextCursor
}

func TestListDisputes_Filters(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	require.Equal(t, http.StatusOK, s.operate("/dispute/startReview", `{"id":2}`).Status)
	for reason, c := range map[string]struct {
		query string
		want  []int64
	}{
		"no filter":                 {"", []int64{2, 1}},
		"empty values":              {"states=&content=&email=&cursor=&limit=&oldestFirst=&startDate=&endDate=", []int64{2, 1}},
		"the oldest first":          {"oldestFirst=true", []int64{1, 2}},
		"a state":                   {"states=OPEN", []int64{1}},
		"several states":            {"states=OPEN,UNDER_REVIEW&states=REJECTED", []int64{2, 1}},
		"the asset in any spelling": {"content=HTTPS://BAD.example.com", []int64{1}},
		"another asset":             {"content=https://never.example.com", nil},
		"an address in any case":    {"email=EVE@MAIL.EXAMPLE", []int64{1}},
		"from the day on":           {"startDate=2025-06-01", []int64{2, 1}},
		"before the day":            {"endDate=2025-05-31", nil},
		"filters together":          {"states=OPEN&email=mallory@mail.example", nil},
	} {
		ids, next := disputeIDs(t, s.read("/dispute/list?"+c.query))
		require.Equal(t, c.want, ids, reason)
		require.Empty(t, next, reason)
	}
}

func TestListDisputes_Pages(t *testing.T) {
	t.Parallel()
	clock := now
	s := startOperatorWith(t, setup{guard: apguard.Options{Clock: func() time.Time { return clock }}})
	for i := range 20 {
		clock = clock.Add(time.Duration(i%3) * time.Millisecond) // some at the same time
		_, err := s.guard.Disputes.Create(t.Context(), dispute.CreateRequest{
			Content: "https://bad.example.com", Email: fmt.Sprintf("user-%d@mail.example", i),
		})
		require.NoError(t, err)
	}
	for _, order := range []string{"", "&oldestFirst=true"} {
		all, _ := disputeIDs(t, s.read("/dispute/list?limit=100"+order))
		require.Len(t, all, 22)
		var paged []int64
		for cursor := ""; ; {
			ids, next := disputeIDs(t, s.read("/dispute/list?limit=3&cursor="+cursor+order))
			paged = append(paged, ids...)
			if cursor = next; cursor == "" {
				break
			}
		}
		require.Equal(t, all, paged)
	}
}

func TestListDisputes_Invalid(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	cursor := "cursor: must be the nextCursor of a page"
	for query, issues := range map[string][]string{
		"limit=0":                              {"limit: must be from 1 to 100"},
		"limit=101":                            {"limit: must be from 1 to 100"},
		"states=CLOSED":                        {"states: must be OPEN, UNDER_REVIEW, ACCEPTED, REJECTED or WITHDRAWN"},
		"states=OPEN,OPEN,OPEN,OPEN,OPEN,OPEN": {"states: must hold at most 5 elements"},
		"oldestFirst=1":                        {"oldestFirst: must be true or false"},
		"startDate=2025-02-30":                 {"startDate: must be an existing date, written YYYY-MM-DD"},
		"startDate=2025-02-02&endDate=2025-02-01": {"startDate: must not be after endDate"},
		"content=5":                    {"content: neither a URL, domain, blockchain address, e-mail address nor handle"},
		"email=a%00b":                  {"email: must be valid UTF-8 without NUL"},
		"cursor=7":                     {cursor},
		"cursor=.7":                    {cursor},
		"cursor=1.0":                   {cursor},
		"cursor=1.07":                  {cursor},
		"cursor=%2B1.7":                {cursor},
		"cursor=1.7.7":                 {cursor},
		"cursor=9223372036854775807.1": {cursor},
		"cursor=1.9007199254740992":    {cursor},
		"cursor=1.7&cursor=1.8":        {"cursor: must be given once"},
		"limit=0&states=x":             {"limit: must be from 1 to 100", "states: must be OPEN, UNDER_REVIEW, ACCEPTED, REJECTED or WITHDRAWN"},
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			requireInvalid(t, s.read("/dispute/list?"+query), issues...)
		})
	}
}

// A dispute goes through its states, and each step leaves its note, with the key's user.
func TestOperator_DisputeLifecycle(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	for _, step := range []struct {
		call  operatorCall
		state dispute.State
		asset asset.Status
	}{
		{operatorCall{"/dispute/startReview", `{"id":1,"reason":"first"}`}, dispute.StateUnderReview, asset.StatusBlocked},
		{operatorCall{"/dispute/release", `{"id":1,"reason":null}`}, dispute.StateOpen, asset.StatusBlocked},
		{operatorCall{"/dispute/addNote", `{"id":1,"text":"hm"}`}, dispute.StateOpen, asset.StatusBlocked},
		{operatorCall{"/dispute/withdraw", `{"id":1}`}, dispute.StateWithdrawn, asset.StatusBlocked},
		{operatorCall{"/dispute/reopen", `{"id":1}`}, dispute.StateOpen, asset.StatusBlocked},
		{operatorCall{"/dispute/resolve", `{"id":1,"state":"REJECTED","reason":"no"}`}, dispute.StateRejected, asset.StatusBlocked},
		{operatorCall{"/dispute/reopen", `{"id":1}`}, dispute.StateOpen, asset.StatusBlocked},
		{operatorCall{"/dispute/resolve", `{"id":1,"state":"ACCEPTED","assetStatus":"UNKNOWN","reason":"yes"}`}, dispute.StateAccepted, asset.StatusUnknown},
	} {
		got := s.operate(step.call.path, step.call.body)
		require.Equal(t, http.StatusOK, got.Status, got.Body)
		require.Equal(t, string(step.state), decode(t, got.Body)["state"])
		require.Equal(t, got.Body, s.read("/dispute/get?id=1").Body, "the reply is the dispute as it is stored")
		require.Equal(t, step.asset, s.status("https://bad.example.com"))
	}
	operator := map[string]any{"id": json.Number(strconv.Itoa(operatorUser)), "fullName": nil}
	notes := decode(t, s.read("/dispute/get?id=1").Body)["notes"].([]any)
	require.Len(t, notes, 9)
	for _, note := range notes[1:] {
		require.Equal(t, operator, note.(map[string]any)["author"])
	}
	history := decode(t, s.read("/asset/history?content=https://bad.example.com").Body)["changes"].([]any)
	require.Equal(t, map[string]any{
		"id": json.Number("3"), "fromStatus": "BLOCKED", "toStatus": "UNKNOWN", "updatedAt": "2025-06-01T12:00:00.123Z",
		"cause": "DISPUTE", "actor": operator, "reference": "dispute/1",
	}, history[0])
}

// Who works on a dispute, and how many wait, is seen in the queue.
func TestOperator_StartReview_assignee(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	for reason, body := range map[string]string{
		"nobody has the ID":  `{"id":1,"assigneeId":9}`,
		"it is not an ID":    `{"id":1,"assigneeId":-1}`,
		"it is not a number": `{"id":1,"assigneeId":"1"}`,
	} {
		got := s.operate("/dispute/startReview", body)
		require.Equal(t, http.StatusBadRequest, got.Status, reason)
		require.Contains(t, got.Body, "assigneeId", reason)
	}
	got := s.operate("/dispute/startReview", `{"id":1,"assigneeId":1,"reason":"You know them"}`)
	require.Equal(t, http.StatusOK, got.Status, got.Body)
	var d struct {
		Assignee struct{ ID int64 }
		Notes    []struct{ Author, Assignee *struct{ ID int64 } }
	}
	require.NoError(t, json.Unmarshal([]byte(got.Body), &d))
	require.EqualValues(t, 1, d.Assignee.ID)
	require.Nil(t, d.Notes[0].Assignee)
	last := d.Notes[len(d.Notes)-1]
	require.EqualValues(t, 1, last.Assignee.ID)
	require.EqualValues(t, operatorUser, last.Author.ID)
	ids, _ := disputeIDs(t, s.read("/dispute/list?assigneeId=1"))
	require.Equal(t, []int64{1}, ids)

	_, err := s.guard.DeactivateUser(t.Context(), 1)
	require.NoError(t, err)
	ids, _ = disputeIDs(t, s.read("/dispute/list?states=OPEN&oldestFirst=true"))
	require.Equal(t, []int64{1, 2}, ids, "what a user has who leaves goes back to the queue")
	require.Equal(t, http.StatusBadRequest, s.operate("/dispute/startReview", `{"id":1,"assigneeId":1}`).Status, "the user has left")
	require.Equal(t, http.StatusOK, s.operate("/dispute/startReview", `{"id":1,"assigneeId":null}`).Status)
}

func TestOperator_DisputeQueue(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	require.JSONEq(t, `{"open":2,"underReview":0,"oldestAt":"2025-06-01T12:00:00.123Z"}`, s.read("/dispute/backlog").Body)
	require.Equal(t, http.StatusOK, s.operate("/dispute/startReview", `{"id":2}`).Status)
	require.JSONEq(t, `{"open":1,"underReview":1,"oldestAt":"2025-06-01T12:00:00.123Z"}`, s.read("/dispute/backlog").Body)

	mine := s.read("/dispute/list?assigneeId=2")
	ids, _ := disputeIDs(t, mine)
	require.Equal(t, []int64{2}, ids)
	require.Contains(t, mine.Body, `"assignee":{"id":2,"fullName":null}`)
	ids, _ = disputeIDs(t, s.read("/dispute/list?assigneeId=1"))
	require.Empty(t, ids)
	requireInvalid(t, s.read("/dispute/list?assigneeId=x"), "assigneeId: must be a whole number from 1 to 2^53-1")
}

func TestOperator_InvalidDisputeRequests(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	long := quote(strings.Repeat("x", dispute.MaxNoteBytes+1))
	for _, c := range []struct {
		reason, path, body string
		issues             []string
	}{
		{"no identifier", "/dispute/startReview", `{}`, []string{"id: is required"}},
		{"a text as an identifier", "/dispute/withdraw", `{"id":"1"}`, []string{"id: must be a whole number from 1 to 2^53-1"}},
		{"an identifier of 0", "/dispute/reopen", `{"id":0}`, []string{"id: must be a whole number from 1 to 2^53-1"}},
		{"a reason that is too long", "/dispute/release", `{"id":1,"reason":` + long + `}`, []string{"reason: must be at most 10000 bytes long"}},
		{"no decision", "/dispute/resolve", `{"id":1,"reason":"x"}`, []string{"state: must be ACCEPTED or REJECTED"}},
		{"a state that is no decision", "/dispute/resolve", `{"id":1,"reason":"x","state":"OPEN"}`, []string{"state: must be ACCEPTED or REJECTED"}},
		{"accepted without a status", "/dispute/resolve", `{"id":1,"reason":"x","state":"ACCEPTED"}`, []string{"assetStatus: must be UNKNOWN or ALLOWED when the dispute is accepted"}},
		{"accepted and blocked", "/dispute/resolve", `{"id":1,"reason":"x","state":"ACCEPTED","assetStatus":"BLOCKED"}`, []string{"assetStatus: must be UNKNOWN or ALLOWED when the dispute is accepted"}},
		{"rejected with a status", "/dispute/resolve", `{"id":1,"reason":"x","state":"REJECTED","assetStatus":"ALLOWED"}`, []string{"assetStatus: must be empty when the dispute is rejected"}},
		{"everything wrong", "/dispute/resolve", `{"reason":5}`, []string{"id: is required", "reason: must be a string", "state: must be ACCEPTED or REJECTED"}},
		{"a blank note", "/dispute/addNote", `{"id":1,"text":"\n"}`, []string{"text: is required"}},
		{"no note", "/dispute/addNote", `{"id":1}`, []string{"text: is required"}},
		{"a note with NUL", "/dispute/addNote", `{"id":1,"text":"a\u0000"}`, []string{"text: must be valid UTF-8 without NUL"}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			t.Parallel()
			requireInvalid(t, s.operate(c.path, c.body), c.issues...)
		})
	}
}

// Of several operators who decide at the same time, only one does.
func TestOperator_OneDecision(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	const operators = 8
	statuses := make(chan int, operators)
	for i := range operators {
		body := `{"id":1,"state":"REJECTED","reason":"no"}`
		if i%2 == 0 {
			body = `{"id":1,"state":"ACCEPTED","assetStatus":"ALLOWED","reason":"yes"}`
		}
		go func() { statuses <- s.operate("/dispute/resolve", body).Status }()
	}
	count := make(map[int]int)
	for range operators {
		count[<-statuses]++
	}
	require.Equal(t, map[int]int{http.StatusOK: 1, http.StatusConflict: operators - 1}, count)
}
