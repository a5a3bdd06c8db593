package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/urfave/cli/v3"

	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/protect"
)

// protectedFlag returns the flag that names the file of protected hosts.
func protectedFlag(to *string) cli.Flag {
	return &cli.StringFlag{
		Name: "protected", Destination: to,
		Usage: "`FILE` with a domain a line, such as the start of a list of popular ones: blocking one, or a domain above it, " +
			"takes a confirmation",
	}
}

// protectedNames returns the function that knows the hosts of the file of -protected, or nil without a file. It
// skips lines that are no host.
func protectedNames(path string) (func(host string) bool, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.Open(path) //nolint:gosec // the caller of the program names it
	if err != nil {
		return nil, fmt.Errorf("-protected: %w", err)
	}
	defer file.Close() //nolint:errcheck // it is only read
	var hosts []string
	for entry, err := range lists.Read(file, lists.Domains, lists.ReadOptions{}) {
		if err != nil {
			return nil, fmt.Errorf("-protected: %w", err)
		}
		if host, is := classify.Host(entry.Identity); entry.Err == nil && is {
			hosts = append(hosts, host)
		}
	}
	if len(hosts) == 0 {
		return nil, errors.New("-protected: the file has no domains")
	}
	return protect.Names(hosts), nil
}
