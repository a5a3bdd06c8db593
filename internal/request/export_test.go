package request

// TooManyNames reports whether an object in a JSON text has more than limit names.
func TooManyNames(text []byte, limit int) bool { return tooManyNames(text, limit) }
