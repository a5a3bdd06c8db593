package httpapi_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/request"
)

// withNames returns an object with a number of names.
func withNames(count int) string {
	members := make([]string, count)
	for i := range members {
		members[i] = `"` + strconv.Itoa(i) + `":0`
	}
	return "{" + strings.Join(members, ",") + "}"
}

func TestDecodeBody_Names(t *testing.T) {
	t.Parallel()
	s := start(t)
	const most = request.MaxNames
	for reason, c := range map[string]struct {
		body    string
		refused bool
	}{
		"the maximum":                  {withNames(most), false},
		"one below it":                 {withNames(most - 1), false},
		"one above it":                 {withNames(most + 1), true},
		"the maximum, nested":          {`{"x":[` + withNames(most) + "," + withNames(most) + `]}`, false},
		"one above it, nested":         {`{"x":[{},` + withNames(most+1) + `]}`, true},
		"nested in the last member":    {withNames(most)[:len(withNames(most))-2] + withNames(most) + "}", false},
		"nested in one above it":       {withNames(most + 1)[:len(withNames(most+1))-2] + withNames(1) + "}", true},
		"above it, behind an object":   {`{"n":{},` + withNames(most)[1:], true},
		"many small objects":           {`{"x":[` + strings.Repeat(`{"a":0},`, 5000) + `0]}`, false},
		"many colons in a text":        {`{"x":"` + strings.Repeat(`:\":`, 5000) + `"}`, false},
		"above it, without an end":     {strings.TrimSuffix(withNames(most+1), "}"), true},
		"above it, behind an escape":   {`{"\\":0,"\"":0,` + withNames(most + 1)[1:], true},
		"above it, with a name's end":  {withNames(most + 1)[:len(withNames(most+1))-3] + `:0`, true},
		"the maximum behind an escape": {`{"\\\"":0,` + withNames(most - 1)[1:], false},
	} {
		for path := range posts {
			got := s.post(path, acmeKey, c.body)
			const issue = "an object must have at most 1000 names"
			require.Equal(t, c.refused, strings.Contains(got.Body, issue), "%s: %.200s", reason, got.Body)
			if c.refused {
				require.Equal(t, http.StatusBadRequest, got.Status)
			}
		}
	}
}
