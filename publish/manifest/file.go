package manifest

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
)

// Reader returns a reader of the content, which r reads from anywhere. In place of io.EOF, it returns an error that
// matches [ErrFile] if the content is not that of the file, so callers must read to the end before they use any of
// it. It never returns more than Size bytes.
func (f File) Reader(r io.Reader) io.Reader {
	return &verifier{file: f, from: r, left: f.Size, sum: sha256.New()}
}

// verifier reads a file.
type verifier struct {
	file File
	from io.Reader
	left int64
	sum  hash.Hash
	// err is the error that was returned.
	err error
}

// Read implements [io.Reader].
func (v *verifier) Read(p []byte) (n int, err error) {
	if v.err != nil {
		return 0, v.err
	}
	n, v.err = v.read(p)
	return n, v.err
}

// read is Read before there was an error.
func (v *verifier) read(p []byte) (int, error) {
	if v.left == 0 {
		return 0, v.end()
	}
	n, err := v.from.Read(p[:min(int64(len(p)), v.left)])
	v.sum.Write(p[:n])
	v.left -= int64(n)
	if err == io.EOF { //nolint:errorlint // readers return it as it is
		err = nil
		if v.left > 0 {
			err = fmt.Errorf("%s: %w: it is too short", v.file.Name, ErrFile)
		}
	}
	return n, err
}

// end returns io.EOF if everything that was read is the file.
func (v *verifier) end() error {
	switch n, err := io.ReadFull(v.from, make([]byte, 1)); {
	case n > 0:
		return fmt.Errorf("%s: %w: it is too long", v.file.Name, ErrFile)
	case err != io.EOF:
		return err
	case [32]byte(v.sum.Sum(nil)) != v.file.SHA256:
		return fmt.Errorf("%s: %w: another SHA-256", v.file.Name, ErrFile)
	}
	return io.EOF
}
