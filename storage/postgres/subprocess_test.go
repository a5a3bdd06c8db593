package postgres_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/apguard/apguard/storage/internal/subprocess"
)

func TestMain(m *testing.M) {
	if os.Getenv(serverVariable) == "" {
		fmt.Fprintln(os.Stderr, skipped)
	}
	subprocess.Main(m, map[string]subprocess.Task{
		"open":             openTogether,
		"add until killed": addUntilKilled,
	})
}
