package asset_test

import (
	"bytes"
	"encoding/csv"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

func TestTypes(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/types.csv")
	require.NoError(t, err)
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	require.NoError(t, err)
	rows = rows[1:]

	types := asset.Types()
	require.Len(t, types, 89)
	require.Len(t, rows, len(types))
	for i, row := range rows {
		require.Equal(t, strconv.Itoa(i+1), row[0])
		require.Equal(t, row[1], string(types[i]), "position %s", row[0])
	}
}

func TestTypes_Copy(t *testing.T) {
	t.Parallel()
	asset.Types()[0] = "CHANGED"
	asset.Statuses()[0] = "CHANGED"
	require.Equal(t, asset.TypeURL, asset.Types()[0])
	require.Equal(t, asset.StatusUnknown, asset.Statuses()[0])
}

func TestType_Valid(t *testing.T) {
	t.Parallel()
	for _, typ := range asset.Types() {
		require.True(t, typ.Valid(), typ)
	}
	cases := map[string]asset.Type{
		"no type":                          "",
		"letter case counts":               "url",
		"white space is part of the value": "URL ",
		"a type that does not exist":       "CARRIER_PIGEON",
	}
	for reason, typ := range cases {
		require.False(t, typ.Valid(), reason)
	}
}
