package phishlist

import (
	"errors"
	"io"
	"iter"
)

// Entry is an entry of an allowlist, a blocklist or a fuzzylist in a file.
type Entry struct {
	// Line is the number of the line of the file, from 1.
	Line int
	// Host is the entry as it is written, also if it is not a host.
	Host string
	// Position describes where the entry is, such as "byte 120 (blacklist[4])". Call it only
	// while the loop body runs.
	Position func() string
	// Allowed reports whether the entry is in an allowlist.
	Allowed bool
	// Fuzzy reports whether the entry is in a fuzzylist.
	Fuzzy bool
	// Err says why the entry is not a host.
	Err error
}

// Entries yields the entries of the lists of a file, in file order and with all duplicates. It
// reads the file as [Load] does while the loop body runs, and keeps none of it in memory except
// the current entry.
//
// An error ends the sequence. It invalidates the whole file, as the error of Load does: an
// entry that was yielded before may be in an allowlist that could not be read.
func Entries(r io.Reader, opts Options) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		lines := &lineCounter{reader: r}
		l := newLoader(lines, opts.withDefaults())
		err := l.readFile(&entrySink{func() int { return lines.at(l.offset()) }, l.position, yield})
		if err != nil && !errors.Is(err, errStopped) {
			yield(Entry{}, l.input.explain(err))
		}
	}
}

// errStopped reports that the loop body has ended the loop.
var errStopped = errors.New("stopped")

// entrySink yields the hosts of a file.
type entrySink struct {
	line     func() int
	position func() string
	yield    func(Entry, error) bool
}

func (s *entrySink) entry(of array, host []byte, problem string) error {
	e := Entry{
		Line: s.line(), Host: string(host), Position: s.position, Allowed: of == allowlist, Fuzzy: of == fuzzylist,
	}
	if problem != "" {
		e.Err = errors.New(problem)
	}
	if !s.yield(e, nil) {
		return errStopped
	}
	return nil
}

func (s *entrySink) endList(settings) {}

// lineCounter counts the lines of what it reads. The decoder reads ahead, so the counter
// keeps the line breaks that at has not passed.
type lineCounter struct {
	reader io.Reader
	read   int64
	passed int
	ahead  []lineBreaks
	// inBreaks reports whether only white space has been read since the last of ahead.
	inBreaks bool
}

// lineBreaks are line breaks with nothing but white space between them.
type lineBreaks struct {
	count int
	// first is the offset of the first one.
	first int64
}

// Read implements [io.Reader].
func (c *lineCounter) Read(p []byte) (int, error) {
	n, err := c.reader.Read(p)
	for i, b := range p[:n] {
		switch {
		case b == '\n' && c.inBreaks:
			c.ahead[len(c.ahead)-1].count++
		case b == '\n':
			c.ahead = append(c.ahead, lineBreaks{1, c.read + int64(i)})
			c.inBreaks = true
		case b != ' ' && b != '\t' && b != '\r':
			c.inBreaks = false
		}
	}
	c.read += int64(n)
	return n, err
}

// at returns the number of the line at an offset, which is not in white space and not
// before that of an earlier call.
func (c *lineCounter) at(offset int64) int {
	i := 0
	for ; i < len(c.ahead) && c.ahead[i].first < offset; i++ {
		c.passed += c.ahead[i].count
	}
	c.ahead = c.ahead[i:]
	if len(c.ahead) == 0 {
		c.inBreaks = false
	}
	return c.passed + 1
}
