package phishlist

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/apguard/apguard/asset"
)

// ErrTooLarge reports that a file exceeds [Options.MaxBytes]. The error is an
// [*asset.InputError].
var ErrTooLarge = errors.New("list is too large")

// input reads the file up to a size limit.
type input struct {
	reader    io.Reader
	left, max int64
	skipped   int64 // the size of the byte order mark
	empty     int   // how many reads in a row returned no bytes
	err       error // of the reader, or ErrTooLarge; later reads return it again
}

// maxEmptyReads is how many reads in a row may return no bytes.
const maxEmptyReads = 100

// Read reads up to one byte beyond the limit, to detect a larger file.
func (in *input) Read(p []byte) (int, error) {
	if in.err != nil {
		return 0, in.err
	}
	p = p[:min(int64(len(p)), in.left+1)]
	n, err := in.reader.Read(p)
	in.left -= int64(n)
	in.empty++
	if n > 0 {
		in.empty = 0
	}
	switch {
	case in.left < 0:
		err = ErrTooLarge
	case err == nil && in.empty == maxEmptyReads:
		err = io.ErrNoProgress
	}
	if err != nil && err != io.EOF {
		in.err = err
	}
	return n, err
}

// withoutMark returns a reader that skips a byte order mark. An error while it looks
// for the mark is returned by the first read.
func (in *input) withoutMark() io.Reader {
	const mark = "\ufeff"
	reader := bufio.NewReader(in)
	if start, _ := reader.Peek(len(mark)); string(start) == mark {
		n, _ := reader.Discard(len(mark))
		in.skipped = int64(n)
	}
	return reader
}

// explain returns the error for the caller of Load. It tells errors of the reader from
// errors in the file, and adds the position to a JSON syntax error.
func (in *input) explain(err error) error {
	var issues asset.Issues
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.Is(in.err, ErrTooLarge):
		issues = append(issues, asset.Issue{Message: fmt.Sprintf("must be at most %d bytes", in.max), Err: ErrTooLarge})
	case in.err != nil:
		return fmt.Errorf("read list: %w", in.err)
	case errors.Is(err, asset.ErrInvalid):
		return err
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		issues.Add(position(in.max-in.left, ""), "unexpected end of file")
	case errors.As(err, &syntactic) && syntactic.Err != nil:
		issues.Add(position(syntactic.ByteOffset+in.skipped, syntactic.JSONPointer), syntactic.Err.Error())
	default:
		issues.AddCause("", err)
	}
	return issues.Err()
}
