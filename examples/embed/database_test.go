package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheTablesOfBothStandBesideEachOther(t *testing.T) {
	t.Parallel()
	db := look(t, newFile(t))
	rows, err := db.QueryContext(t.Context(), "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	var own, services []string
	for rows.Next() {
		var name string
		require.NoError(t, rows.Scan(&name))
		if strings.HasPrefix(name, "apguard_") {
			services = append(services, name)
		} else {
			own = append(own, name)
		}
	}
	require.NoError(t, rows.Err())
	require.Equal(t, []string{"people", "teams", "tickets"}, own)
	require.NotEmpty(t, services)
}

// A desk that has done some of the steps does the others.
func TestAnOlderDesk(t *testing.T) {
	t.Parallel()
	file := newFile(t)
	db := look(t, file)
	_, err := db.ExecContext(t.Context(), "DROP TABLE tickets; PRAGMA user_version = 1")
	require.NoError(t, err)
	again := look(t, file)
	_, err = again.ExecContext(t.Context(), "SELECT proposal_id FROM tickets")
	require.NoError(t, err)
}

func TestANewerDesk(t *testing.T) {
	t.Parallel()
	file := newFile(t)
	db := look(t, file)
	_, err := db.ExecContext(t.Context(), "PRAGMA user_version = 99")
	require.NoError(t, err)
	_, err = openDatabase(t.Context(), file)
	require.EqualError(t, err, "a newer version of this program made the tables")
}
