package main

import (
	"fmt"
	"io"
	"os"
)

// progress writes messages, and on a terminal a last line that is replaced.
type progress struct {
	out      io.Writer
	terminal bool
	shown    bool
}

func newProgress(out io.Writer) *progress {
	p := &progress{out: out}
	if file, ok := out.(*os.File); ok {
		info, err := file.Stat()
		p.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return p
}

// clearLine moves to the start of the line and erases it.
const clearLine = "\r\x1b[K"

// say writes a message on a line of its own.
func (p *progress) say(format string, args ...any) {
	p.clear()
	_, _ = fmt.Fprintf(p.out, format+"\n", args...)
}

// show replaces the last line of a terminal.
func (p *progress) show(format string, args ...any) {
	if p.terminal {
		_, _ = fmt.Fprintf(p.out, clearLine+format, args...)
		p.shown = true
	}
}

// end leaves the last line.
func (p *progress) end() {
	if p.shown {
		_, _ = fmt.Fprintln(p.out)
	}
	p.shown = false
}

func (p *progress) clear() {
	if p.shown {
		_, _ = io.WriteString(p.out, clearLine)
	}
	p.shown = false
}
