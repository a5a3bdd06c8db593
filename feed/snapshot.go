package feed

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// A snapshot has, with all numbers in big-endian order:
//
//   - the magic text, which names the version of the form,
//   - the version of the rules of classification (4 bytes) and the ID of the store (16),
//   - of the feed before the assets were listed, its last position, its largest pruned position and the number of
//     its prunings (8 each),
//   - the cursor, and the number of views (1),
//   - of each view, its name, its form (4) and its section: chunks of a length (4) and as many bytes, the last one empty,
//   - the SHA-256 of everything before.
//
// A cursor and a name are a length (1) and as many bytes.
const snapshotMagic = "apguard feed snapshot 1\n"

// maxChunk is the maximum length of a chunk of a section.
const maxChunk = 64 << 10

// errDamaged reports that a snapshot is not one, or was cut or changed.
var errDamaged = errors.New("the snapshot is damaged")

// errOtherViews reports that a snapshot cannot be read by these views.
var errOtherViews = errors.New("the snapshot was made with other views")

// snapshotError is the reason why a snapshot is ignored.
type snapshotError struct{ err error }

func (e *snapshotError) Error() string { return "snapshot ignored: " + e.err.Error() }

func (e *snapshotError) Unwrap() error { return e.err }

// writeSnapshot writes a snapshot of the copies, whose cursor is not the start of a feed.
func (c *copies) writeSnapshot(w io.Writer) error {
	sum := sha256.New()
	buffer := bufio.NewWriterSize(io.MultiWriter(w, sum), maxChunk)
	_, _ = buffer.Write(c.snapshotHeader()) // Flush returns the error
	for _, v := range c.views {
		writeText(buffer, v.Name)
		_, _ = buffer.Write(binary.BigEndian.AppendUint32(nil, v.Form))
		section := &sectionWriter{to: buffer}
		if err := v.Save(section); err != nil {
			return &viewError{v.Name, err}
		}
		if err := section.end(); err != nil {
			return err
		}
	}
	if err := buffer.Flush(); err != nil {
		return err
	}
	_, err := w.Write(sum.Sum(nil))
	return err
}

func (c *copies) snapshotHeader() []byte {
	var header bytes.Buffer
	header.WriteString(snapshotMagic)
	header.Write(binary.BigEndian.AppendUint32(nil, classify.Version))
	store := c.cursor.Store()
	header.Write(store[:])
	for _, number := range []int64{c.feed.Last, c.feed.Pruned, c.feed.Prunings} {
		header.Write(binary.BigEndian.AppendUint64(nil, uint64(number))) //nolint:gosec // it is not negative
	}
	writeText(&header, c.cursor.String())
	header.WriteByte(byte(len(c.views))) //nolint:gosec // there are few
	return header.Bytes()
}

// writeText writes a text of at most 255 bytes. The writer keeps its error.
func writeText(w io.Writer, text string) {
	_, _ = w.Write(append([]byte{byte(len(text))}, text...)) //nolint:gosec // see above
}

// sectionWriter writes the section of a view.
type sectionWriter struct{ to io.Writer }

// Write implements [io.Writer].
func (s *sectionWriter) Write(data []byte) (written int, err error) {
	for len(data) > 0 {
		chunk := data[:min(len(data), maxChunk)]
		if _, err := s.to.Write(binary.BigEndian.AppendUint32(nil, uint32(len(chunk)))); err != nil { //nolint:gosec // it is short
			return written, err
		}
		n, err := s.to.Write(chunk)
		if written += n; err != nil {
			return written, err
		}
		data = data[len(chunk):]
	}
	return written, nil
}

func (s *sectionWriter) end() error {
	_, err := s.to.Write(make([]byte, 4))
	return err
}

// readSnapshot reads a snapshot of a size into new copies of the views.
func readSnapshot(r io.Reader, size int64, views []View) (*copies, error) {
	s := snapshotReader{sum: sha256.New()}
	s.body = bufio.NewReaderSize(io.TeeReader(io.LimitReader(r, size-sha256.Size), s.sum), maxChunk)
	c, err := s.read(views)
	if err != nil {
		return nil, err
	}
	if _, err := s.body.ReadByte(); !errors.Is(err, io.EOF) {
		return nil, errDamaged
	}
	var sum [sha256.Size]byte
	if _, err := io.ReadFull(r, sum[:]); err != nil || !bytes.Equal(sum[:], s.sum.Sum(nil)) {
		return nil, errDamaged
	}
	return c, nil
}

// snapshotReader reads what comes before the checksum.
type snapshotReader struct {
	body *bufio.Reader
	sum  hash.Hash
}

func (s *snapshotReader) read(views []View) (*copies, error) {
	magic := make([]byte, len(snapshotMagic))
	if _, err := io.ReadFull(s.body, magic); err != nil || string(magic) != snapshotMagic {
		return nil, errDamaged
	}
	var header struct {
		Rules                  uint32
		Store                  asset.StoreID
		Last, Pruned, Prunings int64
	}
	if err := binary.Read(s.body, binary.BigEndian, &header); err != nil {
		return nil, errDamaged
	}
	if header.Rules != classify.Version {
		return nil, fmt.Errorf("the snapshot has version %d of the rules, not %d", header.Rules, classify.Version)
	}
	described := asset.Feed{Store: header.Store, Last: header.Last, Pruned: header.Pruned, Prunings: header.Prunings}
	cursor, err := asset.ParseFeedCursor(s.text())
	if err != nil || cursor.Store() != header.Store || !validFeed(described, cursor) {
		return nil, errDamaged
	}
	if n, err := s.body.ReadByte(); err != nil || int(n) != len(views) {
		return nil, errOtherViews
	}
	c := newCopies(views, described, cursor)
	for _, v := range c.views {
		if s.text() != v.Name {
			return nil, errOtherViews
		}
		if form := s.number(); form != v.Form {
			return nil, fmt.Errorf("the snapshot has form %d of the view %s, not %d", form, v.Name, v.Form)
		}
		if err := s.load(v); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// validFeed reports whether a copy of the feed can be at the cursor.
func validFeed(f asset.Feed, cursor asset.FeedCursor) bool {
	return f.Last >= 0 && f.Last <= cursor.Position() && f.Pruned >= 0 && f.Pruned <= f.Last && f.Prunings >= 0
}

// load gives a copy its section.
func (s *snapshotReader) load(v *viewCopy) error {
	section := &sectionReader{from: s.body}
	if err := v.Load(section); err != nil {
		return &viewError{v.Name, err}
	}
	if _, err := io.ReadFull(section, make([]byte, 1)); !errors.Is(err, io.EOF) {
		return errDamaged
	}
	return nil
}

// text returns a text, or "" if there is none.
func (s *snapshotReader) text() string {
	n, err := s.body.ReadByte()
	text := make([]byte, n)
	if _, err2 := io.ReadFull(s.body, text); err != nil || err2 != nil {
		return ""
	}
	return string(text)
}

// number returns a number, or 0 if there is none.
func (s *snapshotReader) number() uint32 {
	var data [4]byte
	if _, err := io.ReadFull(s.body, data[:]); err != nil {
		return 0
	}
	return binary.BigEndian.Uint32(data[:])
}

// sectionReader reads the section of a view.
type sectionReader struct {
	from *bufio.Reader
	// left is what is left of a chunk.
	left int
	err  error
}

// Read implements [io.Reader].
func (s *sectionReader) Read(data []byte) (int, error) {
	if s.left == 0 && s.err == nil {
		s.next()
	}
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.from.Read(data[:min(len(data), s.left)])
	s.left -= n
	if err != nil {
		s.err = errDamaged
	}
	return n, s.err
}

// next begins the next chunk.
func (s *sectionReader) next() {
	var length [4]byte
	_, err := io.ReadFull(s.from, length[:])
	switch n := binary.BigEndian.Uint32(length[:]); {
	case err != nil || n > maxChunk:
		s.err = errDamaged
	case n == 0:
		s.err = io.EOF
	default:
		s.left = int(n)
	}
}
