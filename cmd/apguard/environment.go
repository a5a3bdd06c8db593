package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// environment looks up environment variables, like os.LookupEnv.
type environment func(name string) (value string, found bool)

// secret is a value that the program must not show, and the flag or environment variable
// that it comes from.
type secret struct {
	value  string
	source string
}

// secret returns the value of an environment variable, or the content of the file that
// the variable NAME_FILE names, without the line break at its end. The result is zero if
// neither is set. No error contains the value, or the name of the file, for which the
// value may have been given by mistake.
func (e environment) secret(name string) (secret, error) {
	value, direct := e(name)
	path, inFile := e(name + "_FILE")
	found := secret{value: value, source: name}
	switch {
	case direct && inFile:
		return secret{}, fmt.Errorf("set only one of %s and %s_FILE", name, name)
	case !direct && !inFile:
		return secret{}, nil
	case inFile:
		found.source = name + "_FILE"
		content, err := os.ReadFile(path) //nolint:gosec // the operator names the file
		if failed := new(fs.PathError); errors.As(err, &failed) {
			err = failed.Err
		}
		if err != nil {
			return secret{}, fmt.Errorf("%s: the file cannot be read: %w", found.source, err)
		}
		found.value = strings.TrimSuffix(strings.TrimSuffix(string(content), "\n"), "\r")
	}
	if found.value == "" {
		return secret{}, fmt.Errorf("%s must not be empty", found.source)
	}
	return found, nil
}

// errNoKey reports that the environment has no key.
var errNoKey = errors.New("set APGUARD_KEY to the key, or APGUARD_KEY_FILE to the name of a file with it")

// key returns the API key of the environment, or errNoKey.
func (e environment) key() (secret, error) {
	key, err := e.secret("APGUARD_KEY")
	if err == nil && key == (secret{}) {
		err = errNoKey
	}
	return key, err
}
