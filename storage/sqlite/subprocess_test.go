package sqlite_test

import (
	"testing"

	"github.com/apguard/apguard/storage/internal/test/subprocess"
)

func TestMain(m *testing.M) {
	subprocess.Main(m, openTasks())
}
