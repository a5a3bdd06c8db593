package phishlist

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/apguard/apguard/asset"
)

// input is what is read, up to a limit.
type input struct {
	reader    io.Reader
	left, max int64
	skipped   int64 // of a byte order mark
	empty     int   // how many reads in a row brought nothing
	err       error // of the reader, or ErrTooLarge; nothing is read after it
}

// maxEmpty is how many reads in a row may bring nothing.
const maxEmpty = 100

// Read reads one byte beyond the limit, to see whether there is more.
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
	case err == nil && in.empty == maxEmpty:
		err = io.ErrNoProgress
	}
	if err != nil && err != io.EOF {
		in.err = err
	}
	return n, err
}

// withoutMark returns the input after a byte order mark. What keeps it from looking
// for one comes up again at the next read.
func (in *input) withoutMark() io.Reader {
	const mark = "\ufeff"
	reader := bufio.NewReader(in)
	if start, _ := reader.Peek(len(mark)); string(start) == mark {
		n, _ := reader.Discard(len(mark))
		in.skipped = int64(n)
	}
	return reader
}

// explain turns an error of the decoder into one for whoever keeps the file.
func (in *input) explain(err error) error {
	var issues asset.Issues
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.Is(in.err, ErrTooLarge):
		issues = append(issues, asset.Issue{Message: fmt.Sprintf("must be at most %d bytes", in.max), Err: ErrTooLarge})
	case in.err != nil:
		return fmt.Errorf("read the list: %w", in.err)
	case errors.Is(err, asset.ErrInvalid):
		return err
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		issues.Add(place(in.max-in.left, ""), "the text ends too early")
	case errors.As(err, &syntactic) && syntactic.Err != nil:
		issues.Add(place(syntactic.ByteOffset+in.skipped, syntactic.JSONPointer), syntactic.Err.Error())
	default:
		issues.AddCause("", err)
	}
	return issues.Err()
}
