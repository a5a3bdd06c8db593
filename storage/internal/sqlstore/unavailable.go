package sqlstore

import "github.com/apguard/apguard/storage"

// Unavailable returns err as an error that also matches storage.ErrUnavailable. The text
// stays the same.
func Unavailable(err error) error { return unavailable{err} }

type unavailable struct{ error }

func (e unavailable) Unwrap() error { return e.error }

// Is makes the error match storage.ErrUnavailable.
func (e unavailable) Is(target error) bool { return target == storage.ErrUnavailable }
