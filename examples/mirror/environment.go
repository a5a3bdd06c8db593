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

// secret returns the value of an environment variable, or the content of the file that the variable
// NAME_FILE names, without the line break at its end. It is empty if neither is set. No error contains
// the value, or the name of the file, for which the value may have been given by mistake.
func (e environment) secret(name string) (string, error) {
	value, direct := e(name)
	path, inFile := e(name + "_FILE")
	switch {
	case direct && inFile:
		return "", fmt.Errorf("set only one of %s and %s_FILE", name, name)
	case !inFile:
		return value, nil
	}
	content, err := os.ReadFile(path) //nolint:gosec // the operator names the file
	if failed := new(fs.PathError); errors.As(err, &failed) {
		err = failed.Err
	}
	if err != nil {
		return "", fmt.Errorf("%s_FILE: the file cannot be read: %w", name, err)
	}
	return strings.TrimSuffix(strings.TrimSuffix(string(content), "\n"), "\r"), nil
}
