package account_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
)

func TestKeyError(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]*account.KeyError{
		"unknown API key":                     {Err: account.ErrUnknownKey},
		"expired API key ba7816bf8f01":        {Fingerprint: "ba7816bf8f01", Err: account.ErrExpiredKey},
		"API key without access ba7816bf8f01": {Fingerprint: "ba7816bf8f01"},
		"API key without access":              {},
	} {
		require.EqualError(t, err, want)
		require.Equal(t, err.Err, errors.Unwrap(err))
	}
}
