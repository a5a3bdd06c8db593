package httpapi_test

import (
	"fmt"
	"math"
	"math/big"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Numbers are read by value; big.Rat is the oracle.
func TestParseWholeNumber_Value(t *testing.T) {
	t.Parallel()
	s := start(t)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(
			rapid.StringMatching(`-?(0|[1-9][0-9]{0,21})(\.[0-9]{1,25})?([eE][+-]?[0-9]{1,2})?`),
			spellings(),
		).Draw(t, "number")
		value, ok := new(big.Rat).SetString(text)
		require.True(t, ok, text)
		right := value.IsInt() && value.Sign() > 0
		want := http.StatusBadRequest
		if right {
			want = http.StatusOK
		}
		got := s.post(oldReports, acmeKey, `{"slug":"acme","limit":20,"cursor":`+text+`}`)
		require.Equal(t, want, got.Status, text)
		require.Equal(t, want, s.get(newReports+"?cursor="+strings.ReplaceAll(text, "+", "%2B"), acmeKey).Status, text)
		if right {
			nearest := strconv.FormatInt(math.MaxInt64, 10)
			if value.Num().IsInt64() {
				nearest = value.Num().String()
			}
			plain := s.post(oldReports, acmeKey, `{"slug":"acme","limit":20,"cursor":`+nearest+`}`)
			require.Equal(t, plain.Body, got.Body, text)
		}
	})
}

// spellings generates whole numbers in various JSON notations.
func spellings() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		n := rapid.Int64Range(-3, 200).Draw(t, "value")
		shift := rapid.IntRange(0, 30).Draw(t, "shift")
		fraction := rapid.SampledFrom([]string{"", ".0", ".000"}).Draw(t, "fraction")
		if shift == 0 || n == 0 {
			return strconv.FormatInt(n, 10) + fraction
		}
		return fmt.Sprintf("%d%s%se-%d", n, strings.Repeat("0", shift), fraction, shift)
	})
}

func TestParseWholeNumber_ManyDigits(t *testing.T) {
	t.Parallel()
	s := start(t)
	zeros := strings.Repeat("0", 20_000)
	for text, want := range map[string]int{
		"2" + zeros + "e-20000":               http.StatusOK,
		"0." + zeros + "2e20001":              http.StatusOK,
		"2." + zeros:                          http.StatusOK,
		"2." + zeros + "1":                    http.StatusBadRequest,
		"2" + zeros:                           http.StatusOK,
		"-2" + zeros:                          http.StatusBadRequest,
		"2e99999999999999999999999999":        http.StatusOK,
		"-2e99999999999999999999999999":       http.StatusBadRequest,
		"2e-99999999999999999999999999":       http.StatusBadRequest,
		"20e-9223372036854775808":             http.StatusBadRequest,
		"0.2e9223372036854775807":             http.StatusOK,
		"0e99999999999999999999999999":        http.StatusBadRequest,
		"2e" + zeros:                          http.StatusOK,
		"9223372036854775807.0e0":             http.StatusOK,
		"9223372036854775808":                 http.StatusOK,
		"-9223372036854775808":                http.StatusBadRequest,
		"92233720368547758.07e2":              http.StatusOK,
		"0.000000000000000000000000000001e30": http.StatusOK,
	} {
		got := s.post(oldReports, acmeKey, `{"slug":"acme","limit":20,"cursor":`+text+`}`)
		require.Equal(t, want, got.Status, "%.40s: %s", text, got.Body)
	}
	zero := s.post(oldReports, acmeKey, `{"slug":"acme","limit":20,"cursor":0e99999999999999999999999999}`)
	require.Equal(t, invalid("cursor: must be a whole number from 1"), zero.Body, "the value is 0")
}

// oddNumbers returns JSON numbers, and whether each is a valid ID and limit.
func oddNumbers() map[string]bool {
	return map[string]bool{
		"0.1e1": true, "1.0": true, "10e-1": true, "1E0": true, "1e+0": true, "0.01E+2": true,
		"0": false, "-0": false, "-0.0": false, "0e400": false, "-0e-400": false, "-1": false,
		"1e400": false, "-1e400": false, "1e-400": false, "-1e-400": false, "1.5": false,
		"9007199254740992": false, "1e16": false, "18446744073709551617": false, "4294967297e400": false,
	}
}

func TestParseWholeNumber_InEachField(t *testing.T) {
	t.Parallel()
	s := start(t)
	for number, right := range oddNumbers() {
		want := http.StatusBadRequest
		if right {
			want = http.StatusOK
		}
		inQuery := strings.ReplaceAll(number, "+", "%2B")
		for field, form := range map[string]string{"limit": "%s", "reviewedByUserId": "%s", "brandIds": "[%s]"} {
			body := `{"slug":"acme","limit":1,"` + field + `":` + fmt.Sprintf(form, number) + `}`
			if field == "limit" {
				body = `{"slug":"acme","limit":` + number + `}`
			}
			require.Equal(t, want, s.post(oldReports, acmeKey, body).Status, body)
			require.Equal(t, want, s.get(newReports+"?"+field+"="+inQuery, acmeKey).Status, "%s=%s", field, number)
		}
		got := s.post(assetsPath, acmeKey, `{"assets":[{"content":"https://new.example.com","groupId":`+number+`}]}`)
		if right {
			require.Equal(t, wrapped("NOT_FOUND", "Group with ID 1 not found"), got.Body, number)
		} else {
			require.Contains(t, got.Body, `"Invalid group ID"`, number)
		}
	}
	require.Empty(t, s.log.String())
}
