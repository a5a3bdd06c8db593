package sqlstore

import "github.com/apguard/apguard/asset"

// Unavailable returns err as an error that also matches asset.ErrUnavailable. The text
// stays the same.
func Unavailable(err error) error { return unavailable{err} }

type unavailable struct{ error }

func (e unavailable) Unwrap() error { return e.error }

// Is makes the error match asset.ErrUnavailable.
func (e unavailable) Is(target error) bool { return target == asset.ErrUnavailable }
