// Command classify classifies assets. It reads one content a line from standard input
// and writes one JSON object a line to standard output:
//
//	printf '%s\n' 'https://example.com/' '@acme' | go run ./examples/classify
//
// With -explain, an object also contains the rule that decided, the differences between
// the content and its canonical form, the outcome of each rule, and the assets whose
// status counts for this one.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

func main() {
	explains := flag.Bool("explain", false, "explain each result")
	flag.Parse()
	answer := classifyContent
	if *explains {
		answer = explainContent
	}
	if err := run(os.Stdin, os.Stdout, answer); err != nil {
		fmt.Fprintln(os.Stderr, "classify:", err)
		os.Exit(1)
	}
}

// result is the output for one content: its classification or an error.
type result struct {
	Content   string           `json:"content"`
	Type      asset.Type       `json:"type,omitempty"`
	Canonical string           `json:"canonical,omitempty"`
	Network   classify.Network `json:"network,omitempty"`
	Error     string           `json:"error,omitempty"`
}

// explanation is the output for one content with -explain.
type explanation struct {
	Content string `json:"content"`
	classify.Explanation
	Covers []classify.Cover `json:"covers,omitempty"`
}

// run answers each line. It flushes the output whenever the input buffer is empty, so that
// interactive use sees each answer at once and files are written in blocks.
func run(in io.Reader, out io.Writer, answer func(content string) any) error {
	reader := bufio.NewReader(in)
	writer := bufio.NewWriter(out)
	encoder := jsontext.NewEncoder(writer, jsontext.AllowInvalidUTF8(true))
	for {
		line, err := reader.ReadString('\n')
		if line != "" {
			if err := json.MarshalEncode(encoder, answer(strings.TrimRight(line, "\r\n"))); err != nil {
				return err
			}
		}
		if err != nil || reader.Buffered() == 0 {
			if err := writer.Flush(); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func classifyContent(content string) any {
	found, err := classify.Classify(content)
	if err != nil {
		return result{Content: content, Error: err.Error()}
	}
	return result{Content: content, Type: found.Type, Canonical: found.Canonical, Network: found.Network}
}

func explainContent(content string) any {
	e := explanation{Content: content, Explanation: classify.Explain(content)}
	if e.Err == nil {
		e.Covers = classify.Covering(e.Result.Identity)
	}
	return e
}
