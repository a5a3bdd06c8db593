package httpapi_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/httpapi"
)

const (
	traceID     = "4bf92f3577b34da6a3ce929d0e0e4736"
	parentID    = "00f067aa0ba902b7"
	traceParent = "00-" + traceID + "-" + parentID + "-01"
)

func TestTraceParent(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		headers []string
		// id is the request ID that the client has sent.
		id    string
		valid bool
	}{
		"a span":                       {headers: []string{traceParent}, valid: true},
		"a span that is not sampled":   {headers: []string{"00-" + traceID + "-" + parentID + "-00"}, valid: true},
		"unknown flags":                {headers: []string{"00-" + traceID + "-" + parentID + "-ff"}, valid: true},
		"a span and an ID":             {headers: []string{traceParent}, id: "given", valid: true},
		"a malformed span and an ID":   {headers: []string{traceParent + "x"}, id: "given"},
		"a span and an invalid ID":     {headers: []string{traceParent}, id: "<b>", valid: true},
		"none":                         {},
		"empty":                        {headers: []string{""}},
		"two spans":                    {headers: []string{traceParent, traceParent}},
		"two spans in a line":          {headers: []string{traceParent + "," + traceParent}},
		"a later version":              {headers: []string{"01-" + traceID + "-" + parentID + "-01"}},
		"a later version, with more":   {headers: []string{"cc-" + traceID + "-" + parentID + "-01-what"}},
		"the version that is invalid":  {headers: []string{"ff-" + traceID + "-" + parentID + "-01"}},
		"more than version 00 has":     {headers: []string{traceParent + "-what"}},
		"a trace ID of zeros":          {headers: []string{"00-" + strings.Repeat("0", 32) + "-" + parentID + "-01"}},
		"a parent ID of zeros":         {headers: []string{"00-" + traceID + "-" + strings.Repeat("0", 16) + "-01"}},
		"an upper-case trace ID":       {headers: []string{"00-" + strings.ToUpper(traceID) + "-" + parentID + "-01"}},
		"an upper-case parent ID":      {headers: []string{"00-" + traceID + "-" + strings.ToUpper(parentID) + "-01"}},
		"upper-case flags":             {headers: []string{"00-" + traceID + "-" + parentID + "-0A"}},
		"a letter that is no digit":    {headers: []string{"00-" + traceID[:31] + "g-" + parentID + "-01"}},
		"a line break in a trace ID":   {headers: []string{"00-" + traceID[:31] + "\n-" + parentID + "-01"}},
		"a letter of two bytes":        {headers: []string{"00-" + traceID[:30] + "\u00e9-" + parentID + "-01"}},
		"a short trace ID":             {headers: []string{"00-" + traceID[:31] + "-0" + parentID + "-01"}},
		"another separator":            {headers: []string{"00_" + traceID + "_" + parentID + "_01"}},
		"another separator at the end": {headers: []string{"00-" + traceID + "-" + parentID + "_01"}},
		"another separator in between": {headers: []string{"00-" + traceID + "_" + parentID + "-01"}},
		"white space around":           {headers: []string{" " + traceParent + " "}},
		"cut off":                      {headers: []string{traceParent[:54]}},
		"a megabyte":                   {headers: []string{strings.Repeat(traceParent, 20000)}},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			seen := new(recordingObserver)
			s := startWith(t, setup{everyRequest: true, options: httpapi.Options{Observer: seen}})
			r := newPost(changelogPath, acmeKey, strings.NewReader("{}"))
			r.Header["Traceparent"] = c.headers
			if c.id != "" {
				r.Header.Set("X-Request-Id", c.id)
			}
			id := s.do(r).Header.Get("X-Request-Id")
			switch {
			case c.id == "given":
				require.Equal(t, "given", id)
			case c.valid:
				require.Equal(t, traceID+"-"+parentID, id)
			default:
				require.Regexp(t, "^[A-Z2-7]{26}$", id)
			}
			info := seen.only(t)
			if c.valid {
				require.Equal(t, traceID, info.TraceID)
				require.Contains(t, s.log.String(), " trace_id="+traceID+" ")
			} else {
				require.Empty(t, info.TraceID)
				require.NotContains(t, s.log.String(), "trace_id")
			}
		})
	}
}

func FuzzTraceParent(f *testing.F) {
	for _, seed := range []string{traceParent, "", "00-", traceParent + "-", strings.ToUpper(traceParent), "00-" + strings.Repeat("0", 52)} {
		f.Add(seed)
	}
	valid := regexp.MustCompile(`^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$`)
	api := newAPI(f, nobody{}, httpapi.Options{})
	f.Fuzz(func(t *testing.T, value string) {
		want := ""
		if m := valid.FindStringSubmatch(value); m != nil && strings.Trim(m[1], "0") != "" && strings.Trim(m[2], "0") != "" {
			want = m[1] + "-" + m[2]
		}
		r := newGet("/organization/reports", acmeKey)
		r.Header["Traceparent"] = []string{value}
		id := testServer{Handler: api, tb: t}.do(r).Header.Get("X-Request-Id")
		if want == "" {
			require.Regexp(t, "^[A-Z2-7]{26}$", id)
			return
		}
		require.Equal(t, want, id)
	})
}

// nobody is an authenticator that accepts no request.
type nobody struct{}

func (nobody) Authenticate(*http.Request) (account.Principal, error) {
	return account.Principal{}, account.ErrUnknownKey
}
