package saved_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/apguard/apguard/feed/internal/saved"
)

// TestReader_law reads what was written, and refuses it after each of its bytes.
func TestReader_law(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Uint64().Draw(t, "number")
		text := rapid.String().Draw(t, "text")
		data := rapid.SliceOf(rapid.Byte()).Draw(t, "data")
		var copied bytes.Buffer
		to := saved.NewWriter(&copied)
		to.Number(number)
		to.Text(text)
		to.Bytes(data)
		if err := to.Flush(); err != nil {
			t.Fatal(err)
		}

		for length := range copied.Len() + 1 {
			from := saved.NewReader(bytes.NewReader(copied.Bytes()[:length]))
			gotNumber, gotText := from.Number(), from.Text()
			gotData := make([]byte, len(data))
			from.Bytes(gotData)
			err := from.End()
			if length < copied.Len() {
				if !errors.Is(err, saved.ErrDamaged) {
					t.Fatalf("the first %d of %d bytes: error %v", length, copied.Len(), err)
				}
				continue
			}
			if err != nil || gotNumber != number || gotText != text || !bytes.Equal(gotData, data) {
				t.Fatalf("read %d, %q, %q, error %v", gotNumber, gotText, gotData, err)
			}
		}
	})
}

func TestReader_damaged(t *testing.T) {
	long := strings.Repeat("a", 64<<10+1)
	tests := []struct {
		name string
		data []byte
	}{
		{name: "a text of more than 64 KiB", data: append(binary.BigEndian.AppendUint64(nil, uint64(len(long))), long...)},
		{name: "a length that no memory holds", data: bytes.Repeat([]byte{0xff}, 8)},
		{name: "data after the end", data: make([]byte, 9)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			from := saved.NewReader(bytes.NewReader(test.data))
			if text := from.Text(); text != "" {
				t.Errorf("read a text of %d bytes", len(text))
			}
			if err := from.End(); !errors.Is(err, saved.ErrDamaged) {
				t.Errorf("error %v", err)
			}
			if !errors.Is(from.Err(), saved.ErrDamaged) {
				t.Errorf("Err returns %v", from.Err())
			}
		})
	}
}

func TestReader_zeroAfterError(t *testing.T) {
	from := saved.NewReader(bytes.NewReader([]byte("enough for a number")))
	from.Fail()
	data := []byte("old")
	from.Bytes(data)
	if number, text := from.Number(), from.Text(); number != 0 || text != "" || !bytes.Equal(data, make([]byte, 3)) {
		t.Errorf("after an error, read %d, %q, %q", number, text, data)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

var errFull = errors.New("no space left")

func TestWriter_fails(t *testing.T) {
	to := saved.NewWriter(full{})
	to.Text("never stored")
	if err := to.Flush(); !errors.Is(err, errFull) {
		t.Errorf("error %v", err)
	}
}
