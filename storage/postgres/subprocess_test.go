package postgres_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/apguard/apguard/internal/test/postgrestest"
	"github.com/apguard/apguard/storage/internal/test/subprocess"
)

func TestMain(m *testing.M) {
	if os.Getenv(postgrestest.ServerVariable) == "" {
		fmt.Fprintln(os.Stderr, postgrestest.Skipped)
	}
	subprocess.Main(m, map[string]subprocess.Task{
		"open":             openTogether,
		"put until killed": putUntilKilled,
		"add until killed": addUntilKilled,
	})
}
