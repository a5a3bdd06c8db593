package client

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"iter"
)

// receiveStream returns a function that keeps an open response with the media type.
func receiveStream(opened **response, mediaType string) func(*response) error {
	return func(r *response) error {
		if !isMediaType(r.header, mediaType) {
			_ = r.body.Close() // it is only read
			return responseError("unexpected media type")
		}
		*opened = r
		return nil
	}
}

// streamed yields valid items of a response and closes it. An error ends the sequence, and is an
// [*Error].
func streamed[T any](r *response, items iter.Seq2[T, error], validate func(T) error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		defer r.body.Close() //nolint:errcheck // it is only read
		for one, err := range items {
			if err == nil {
				err = validate(one)
			}
			if err != nil {
				var none T
				yield(none, r.failed(err))
				return
			}
			if !yield(one, nil) {
				return
			}
		}
	}
}

// arrayItems decodes the items of the array that a JSON object has under a name. It keeps one item in
// memory. An error ends the sequence.
func arrayItems[T any](body io.Reader, name string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		a := arrayReader{budget: &budget{reader: body}, name: name}
		a.decoder = json.NewDecoder(a.budget)
		err := a.read(func() (bool, error) {
			var one T
			if err := a.decode(&one); err != nil {
				return false, err
			}
			return yield(one, nil), nil
		})
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			var none T
			yield(none, decodingError(err))
		}
	}
}

// arrayReader reads a JSON object with an array.
type arrayReader struct {
	budget  *budget
	decoder *json.Decoder
	name    string
}

// read calls one for each item of the array, until that reports false. Other members of the object are
// skipped: a later version may have them.
func (a *arrayReader) read(one func() (bool, error)) error {
	if err := a.delimiter('{'); err != nil {
		return err
	}
	found := false
	for a.decoder.More() {
		name, err := a.token()
		if err != nil {
			return err
		}
		if name != a.name {
			if err := a.decode(new(json.RawMessage)); err != nil {
				return err
			}
			continue
		}
		if found {
			return responseError("duplicate list")
		}
		found = true
		if more, err := a.items(one); err != nil || !more {
			return err
		}
	}
	if err := a.delimiter('}'); err != nil {
		return err
	}
	if !found {
		return responseError("it has no list")
	}
	if _, err := a.token(); !errors.Is(err, io.EOF) {
		return errors.Join(err, responseError("text after its end"))
	}
	return nil
}

// items reads the array.
func (a *arrayReader) items(one func() (bool, error)) (more bool, err error) {
	if err := a.delimiter('['); err != nil {
		return false, err
	}
	for a.more() {
		if more, err := one(); err != nil || !more {
			return false, err
		}
	}
	return true, a.delimiter(']')
}

func (a *arrayReader) delimiter(want json.Delim) error {
	got, err := a.token()
	if err == nil && got != want {
		return responseError("malformed list")
	}
	return err
}

func (a *arrayReader) token() (json.Token, error) {
	a.budget.left = MaxItem
	return a.decoder.Token()
}

func (a *arrayReader) more() bool {
	a.budget.left = MaxItem
	return a.decoder.More()
}

func (a *arrayReader) decode(into any) error {
	a.budget.left = MaxItem
	return a.decoder.Decode(into)
}

// budget is a reader that fails when an item is too large.
type budget struct {
	reader io.Reader
	left   int
}

// Read implements [io.Reader].
func (b *budget) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, responseError("an item is too large")
	}
	n, err := b.reader.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

// lineItems decodes a JSON object from each line. It keeps one line in memory. An error ends the
// sequence.
func lineItems[T any](body io.Reader) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		for lines := bufio.NewReaderSize(body, MaxItem); ; {
			line, err := lines.ReadSlice('\n')
			switch {
			case errors.Is(err, io.EOF) && len(line) == 0:
				return
			case errors.Is(err, io.EOF):
				yield(none, io.ErrUnexpectedEOF)
				return
			case errors.Is(err, bufio.ErrBufferFull):
				yield(none, responseError("an item is too large"))
				return
			case err != nil:
				yield(none, err)
				return
			}
			var one T
			if err := json.Unmarshal(line, &one); err != nil {
				yield(none, decodingError(err))
				return
			}
			if !yield(one, nil) {
				return
			}
		}
	}
}
