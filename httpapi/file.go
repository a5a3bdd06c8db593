package httpapi

import (
	"errors"
	"io"
	"os"
)

// maxFile is the maximum size of a body that is a file, in bytes. It has room for about three million
// domains.
const maxFile = 64 << 20

// withFile calls use with the body of a call, of any content type, in a temporary file.
func (c call) withFile(w *responseWriter, use func(io.ReadSeeker) error) error {
	if err := checkEncoding(c.Header); err != nil {
		return err
	}
	file, err := os.CreateTemp("", "apguard-*")
	if err != nil {
		return err
	}
	defer func() { w.recordError(errors.Join(file.Close(), os.Remove(file.Name()))) }()
	if err := c.receiveFile(w, file); err != nil {
		return err
	}
	return use(file)
}

// receiveFile writes the body to a file. The time of the client does not count.
func (c call) receiveFile(w *responseWriter, file io.Writer) error {
	c.work.Pause()
	defer c.work.Resume()
	return receiveBody(w, c.Request, maxFile, func(from io.Reader) error {
		_, err := io.Copy(struct{ io.Writer }{file}, from) // not with ReadFrom, which hides whose error it is
		return err
	})
}
