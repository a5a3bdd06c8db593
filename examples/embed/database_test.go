package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOpenDatabase_Tables(t *testing.T) {
	t.Parallel()
	db := open(t, newFile(t))
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
	require.Equal(t, []string{"teams", "tickets", "users"}, own)
	require.NotEmpty(t, services)
}

func TestOpenDatabase_OlderSchema(t *testing.T) {
	t.Parallel()
	file := newFile(t)
	db := open(t, file)
	_, err := db.ExecContext(t.Context(), "DROP TABLE tickets; PRAGMA user_version = 1")
	require.NoError(t, err)
	again := open(t, file)
	_, err = again.ExecContext(t.Context(), "SELECT proposal_id FROM tickets")
	require.NoError(t, err)
}

func TestOpenDatabase_NewerSchema(t *testing.T) {
	t.Parallel()
	file := newFile(t)
	db := open(t, file)
	_, err := db.ExecContext(t.Context(), "PRAGMA user_version = 99")
	require.NoError(t, err)
	_, err = openDatabase(t.Context(), file)
	require.EqualError(t, err, "database schema is newer than this program")
}
