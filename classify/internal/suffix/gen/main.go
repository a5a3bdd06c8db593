// Command gen writes the table of package suffix, table.go, from the Public
// Suffix List:
//
//	gen [-origin TEXT] [-o FILE] LIST
//
// LIST is a public_suffix_list.dat, as publicsuffix.org publishes it and as
// Debian's package publicsuffix installs it. The origin is noted in the file
// written, since Debian's copy does not say its version. The same list always
// gives the same file.
package main

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
)

func main() {
	origin := flag.String("origin", "publicsuffix.org", "where the list was taken from")
	output := flag.String("o", "table.go", "the file to write")
	flag.Parse()
	if flag.NArg() != 1 || flag.Arg(0) == "" {
		fmt.Fprintln(os.Stderr, "usage: gen [-origin TEXT] [-o FILE] LIST")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *origin, *output); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// run reads the list at the path and writes its table.
func run(path, origin, output string) error {
	data, err := os.ReadFile(path) //nolint:gosec // the path is the caller's own
	if err != nil {
		return err
	}
	list, err := parse(data)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	table, err := newTable(list.rules)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	var file bytes.Buffer
	writeHeader(&file, origin, sha256.Sum256(data), list.version)
	table.write(&file)
	return os.WriteFile(output, file.Bytes(), 0o644) //nolint:gosec // source is for everyone to read
}
