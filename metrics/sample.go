package metrics

import (
	"maps"
	"slices"
	"time"

	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/storage"
)

func counter(name, unit, help string, labels ...Label) Metric {
	return Metric{Name: name, Unit: unit, Kind: Counter, Help: help, Labels: labels}
}

func gauge(name, unit, help string, labels ...Label) Metric {
	return Metric{Name: name, Unit: unit, Kind: Gauge, Help: help, Labels: labels}
}

// label returns a label for which there is no semantic convention.
func label(name string) Label { return Label{name, "apguard." + name} }

// number returns the only sample of a metric without labels.
func number[N int | int64](n N) []Sample { return []Sample{{Value: float64(n)}} }

func seconds(d time.Duration) []Sample { return []Sample{{Value: d.Seconds()}} }

// age returns the time since a time. It is 0 if that is zero, or if the clock was set back.
func (s *state) age(since time.Time) []Sample {
	if since.IsZero() {
		return seconds(0)
	}
	return seconds(max(0, s.now.Sub(since)))
}

// samples returns a sample for each count, ordered by the values of its labels.
func samples[K comparable](counts map[K]int64, values func(K) []string) []Sample {
	all := make([]Sample, 0, len(counts))
	for key, n := range counts {
		all = append(all, Sample{Values: values(key), Value: float64(n)})
	}
	slices.SortFunc(all, func(a, b Sample) int { return slices.Compare(a.Values, b.Values) })
	return all
}

// text returns the values of the only label of a count.
func text[K ~string](key K) []string { return []string{string(key)} }

// operations reads a sum of each operation.
func operations(sum func(*operation) int64) func(*state) []Sample {
	return func(s *state) []Sample {
		sums := make(map[string]int64, len(s.operations))
		for name, o := range s.operations {
			sums[name] = sum(o)
		}
		return samples(sums, text)
	}
}

// durations reads the histograms of all operations.
func durations(s *state) []Sample {
	all := make([]Sample, 0, len(s.operations))
	for _, name := range slices.Sorted(maps.Keys(s.operations)) {
		o := s.operations[name]
		all = append(all, Sample{Values: []string{name}, Value: o.seconds, Buckets: slices.Clone(o.within)})
	}
	return all
}

// queues reads the queues for reads and for writes.
func queues(read func(storage.Queue) []Sample) func(*state) []Sample {
	return func(s *state) []Sample {
		return slices.Concat(labeled("read", read(s.stats.Reads)), labeled("write", read(s.stats.Writes)))
	}
}

// perList reads every list.
func perList(read func(*state, lists.List) []Sample) func(*state) []Sample {
	return func(s *state) (all []Sample) {
		for _, list := range *s.lists {
			all = append(all, labeled(list.Name, read(s, list))...)
		}
		return all
	}
}

// labeled sets the value of the only label.
func labeled(value string, all []Sample) []Sample {
	for i := range all {
		all[i].Values = []string{value}
	}
	return all
}

// synced returns when the last sync of a list was completed, or when the list was added.
func synced(list lists.List) time.Time {
	if list.SyncedAt.IsZero() {
		return list.CreatedAt
	}
	return list.SyncedAt
}
