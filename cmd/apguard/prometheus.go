package main

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// replyMetrics replies with texts in the exposition format.
func replyMetrics(w http.ResponseWriter, texts ...[]byte) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(slices.Concat(texts...)) // fails if the client has disconnected
}

// page is a text in the exposition format of Prometheus.
type page struct {
	text []byte
}

func (p *page) line(text string) {
	p.text = append(append(p.text, text...), '\n')
}

func (p *page) family(name, kind, help string) {
	p.line("# HELP " + name + " " + help)
	p.line("# TYPE " + name + " " + kind)
}

// sample writes a line. Labels are alternating names and values.
func (p *page) sample(name, value string, labels ...string) {
	pairs := make([]string, 0, len(labels)/2)
	for label := range slices.Chunk(labels, 2) {
		pairs = append(pairs, label[0]+`="`+escape(label[1])+`"`)
	}
	if len(pairs) > 0 {
		name += "{" + strings.Join(pairs, ",") + "}"
	}
	p.line(name + " " + value)
}

// histogram writes the durations of an operation. Buckets are cumulative.
func (p *page) histogram(name string, f *figures, operation string) {
	var count int64
	bounds := durationBounds()
	for i, within := range f.within {
		count += within
		bound := "+Inf"
		if i < len(bounds) {
			bound = decimal(bounds[i])
		}
		p.sample(name+"_bucket", strconv.FormatInt(count, 10), "operation", operation, "le", bound)
	}
	p.sample(name+"_sum", decimal(f.seconds), "operation", operation)
	p.sample(name+"_count", strconv.FormatInt(count, 10), "operation", operation)
}

func decimal(f float64) string {
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// escape escapes the value of a label.
func escape(value string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(value)
}
