package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/apguard/apguard/metrics"
)

// prometheusText returns metrics in the exposition format of Prometheus.
func prometheusText(families []metrics.Family) []byte {
	var page page
	for _, family := range families {
		name := family.PrometheusName()
		page.line("# HELP " + name + " " + family.Help)
		page.line("# TYPE " + name + " " + string(family.Kind))
		for _, sample := range family.Samples {
			labels := make([]string, 0, 2*len(family.Labels)+2)
			for i, label := range family.Labels {
				labels = append(labels, label.Name, sample.Values[i])
			}
			if family.Kind == metrics.Histogram {
				page.histogram(name, family.Bounds, sample, labels)
			} else {
				page.sample(name, decimal(sample.Value), labels...)
			}
		}
	}
	return page.text
}

// page is a text in the exposition format of Prometheus.
type page struct {
	text []byte
}

func (p *page) line(text string) {
	p.text = append(append(p.text, text...), '\n')
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

// histogram writes a sample of a histogram. Buckets are cumulative.
func (p *page) histogram(name string, bounds []float64, sample metrics.Sample, labels []string) {
	var count int64
	for i, within := range sample.Buckets {
		count += within
		bound := "+Inf"
		if i < len(bounds) {
			bound = decimal(bounds[i])
		}
		p.sample(name+"_bucket", strconv.FormatInt(count, 10), append(labels, "le", bound)...)
	}
	p.sample(name+"_sum", decimal(sample.Value), labels...)
	p.sample(name+"_count", strconv.FormatInt(count, 10), labels...)
}

func decimal(f float64) string {
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// escape escapes the value of a label.
func escape(value string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(value)
}
