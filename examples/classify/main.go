// Command classify tells of what type each asset is. It reads one content a line
// from standard input and writes one JSON object a line:
//
//	printf '%s\n' 'https://example.com/' '@acme' | go run ./examples/classify
//
// With -explain it also writes which rule decided, in what the canonical form
// differs from the content, and what each rule said.
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
	explained := flag.Bool("explain", false, "say how each answer came about")
	flag.Parse()
	answer := judge
	if *explained {
		answer = explain
	}
	if err := run(os.Stdin, os.Stdout, answer); err != nil {
		fmt.Fprintln(os.Stderr, "classify:", err)
		os.Exit(1)
	}
}

// verdict is what is written of one content: what it is, or why it is nothing.
type verdict struct {
	Content   string           `json:"content"`
	Type      asset.Type       `json:"type,omitempty"`
	Canonical string           `json:"canonical,omitempty"`
	Network   classify.Network `json:"network,omitempty"`
	Error     string           `json:"error,omitempty"`
}

// explanation is what is written of one content with -explain.
type explanation struct {
	Content string `json:"content"`
	classify.Explanation
}

// run answers each line. Answers leave when no more input is there yet, so that a
// person at a terminal sees each at once, and a file is not written line by line.
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

func judge(content string) any {
	result, err := classify.Classify(content)
	if err != nil {
		return verdict{Content: content, Error: err.Error()}
	}
	return verdict{Content: content, Type: result.Type, Canonical: result.Canonical, Network: result.Network}
}

func explain(content string) any {
	return explanation{Content: content, Explanation: classify.Explain(content)}
}
