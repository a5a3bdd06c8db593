package sqlite_test

import (
	"maps"
	"testing"

	"github.com/apguard/apguard/storage/internal/subprocess"
)

func TestMain(m *testing.M) {
	tasks := map[string]subprocess.Task{"migrate": migrateTask}
	maps.Copy(tasks, openTasks())
	subprocess.Main(m, tasks)
}
