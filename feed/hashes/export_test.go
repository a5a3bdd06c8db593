package hashes

// FewChanges is the number of changes in a difference that is always made.
const FewChanges = fewChanges

// Reading returns the number of bytes of responses that are in use.
func (o *Origin) Reading() int64 { return o.reading.bytes.Load() }

// Read has clients read many responses, until the result is called.
func (o *Origin) Read() (end func()) {
	o.reading.bytes.Add(maxReading)
	return func() { o.reading.bytes.Add(-maxReading) }
}
