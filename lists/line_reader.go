package lists

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxLine is the maximum length of a line in bytes. A content has at most
// [classify.MaxContent], which JSON can write in six times as many.
const maxLine = 64 << 10

// lineBuffer is the size of the buffer that holds the longest line with its break.
const lineBuffer = maxLine + len("\r\n")

// lineReader reads lines of at most maxLine bytes, and skips the rest of longer ones.
type lineReader struct {
	input  *bufio.Reader
	number int
	// skipped receives the parts of lines that are too long.
	skipped func(part []byte)
}

func newLineReader(r io.Reader) *lineReader {
	return &lineReader{input: bufio.NewReaderSize(r, lineBuffer), skipped: func([]byte) {}}
}

// next returns the next line without its line break and without a byte order mark at the
// start of the list. It is valid until the next call. The error is io.EOF at the end, or
// ErrLineTooLong for one line.
func (l *lineReader) next() ([]byte, error) {
	line, err := l.input.ReadSlice('\n')
	if len(line) == 0 && err != nil {
		return nil, err
	}
	l.number++
	if l.number == 1 {
		line = bytes.TrimPrefix(line, []byte("\ufeff"))
	}
	tooLong := errors.Is(err, bufio.ErrBufferFull)
	for part := line; tooLong; part, err = l.input.ReadSlice('\n') {
		l.skipped(trimBreak(part))
		if !errors.Is(err, bufio.ErrBufferFull) {
			break
		}
	}
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return nil, err
	case tooLong:
		return nil, ErrLineTooLong
	}
	if line = trimBreak(line); len(line) > maxLine {
		l.skipped(line)
		return nil, ErrLineTooLong
	}
	return line, nil
}

// trimBreak removes the line break.
func trimBreak(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r"))
}

// each calls do with each line that is not blank. It refuses those that are too long.
func (l *reader) each(do func(line []byte) error) error {
	for {
		line, err := l.lines.next()
		switch {
		case errors.Is(err, ErrLineTooLong):
			err = l.refuse(l.lines.number, "", err)
		case errors.Is(err, io.EOF):
			return nil
		case err == nil && len(bytes.TrimSpace(line)) > 0:
			err = do(line)
		}
		if err != nil {
			return err
		}
	}
}
