package sqlstore

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

// Every value has one code, and databases can be read with the codes that they were written
// with.
func TestCodes(t *testing.T) {
	t.Parallel()
	stored, err := os.ReadFile("testdata/type_codes.txt")
	require.NoError(t, err)
	for code, name := range strings.Fields(string(stored)) {
		require.EqualValues(t, code, TypeCode(asset.Type(name)), name)
	}
	for code, cause := range causeCodes {
		require.True(t, cause.Valid())
		require.Equal(t, 1 <= code && code <= 4, cause.ByOperators(), "an index has these: %s", cause)
	}
	for name, test := range map[string]struct{ code, want int64 }{
		"the first type":       {TypeCode(asset.TypeURL), 0},
		"a type":               {TypeCode(asset.TypeEmail), 21},
		"UNKNOWN":              {StatusCode(asset.StatusUnknown), 0},
		"ALLOWED":              {StatusCode(asset.StatusAllowed), 1},
		"BLOCKED":              {StatusCode(asset.StatusBlocked), 2},
		"the first cause":      {CauseCode(asset.CauseAllowlist), 0},
		"the last cause":       {CauseCode(asset.CauseList), 8},
		"an unknown status":    {StatusCode("CLOSED"), -1},
		"a text that is empty": {TypeCode(""), -1},
	} {
		require.Equal(t, test.want, test.code, name)
	}
}

func TestScanCode(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		value any
		want  asset.Status
	}{
		"a code":                 {int64(2), asset.StatusBlocked},
		"a code below the first": {int64(-1), ""},
		"a code above the last":  {int64(3), ""},
		"a text":                 {"BLOCKED", ""},
		"NULL":                   {nil, ""},
	} {
		var got asset.Status
		err := ScanStatus(&got).Scan(test.value)
		require.Equal(t, test.want, got, name)
		require.Equal(t, test.want == "", err != nil, name)
	}
}
