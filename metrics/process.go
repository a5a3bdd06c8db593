package metrics

import (
	"runtime"
	"strconv"
	"time"

	"github.com/apguard/apguard/classify"
)

// process is what a process takes of its machine.
type process struct {
	cpu time.Duration
	// memory is the resident memory in bytes.
	memory              int64
	openFiles, maxFiles int64
}

// processGroups returns the metrics of the program and its process. In Prometheus, those of the process have the names
// of its client libraries.
func processGroups() []group {
	return []group{
		{func(s *state) bool { return s.from.Version != "" }, []row{
			{gauge("apguard.build_info", "", "1, with the versions of the program, of the rules and of Go.",
				label("version"), label("rules"), label("goversion")),
				func(s *state) []Sample {
					return []Sample{{Values: []string{s.from.Version, strconv.Itoa(classify.Version), runtime.Version()}, Value: 1}}
				}},
		}},
		{func(s *state) bool { return s.process != nil }, []row{
			{counter("process.cpu", "s", "Time of processors that the process has used."),
				func(s *state) []Sample { return seconds(s.process.cpu) }},
			{gauge("process.resident_memory", "By", "Resident memory of the process."),
				func(s *state) []Sample { return number(s.process.memory) }},
			{gauge("process.open_fds", "{file}", "Open files and connections of the process."),
				func(s *state) []Sample { return number(s.process.openFiles) }},
			{gauge("process.max_fds", "{file}", "Maximum of open files and connections of the process."),
				func(s *state) []Sample { return number(s.process.maxFiles) }},
			{gauge("process.start_time", "s", "Time at which the process started, in seconds since 1970."),
				func(s *state) []Sample { return []Sample{{Value: float64(s.started.UnixMilli()) / 1000}} }},
		}},
	}
}
