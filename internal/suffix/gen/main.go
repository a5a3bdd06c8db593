// Command gen generates table.go of package suffix from the Public Suffix List:
//
//	gen [-origin TEXT] [-o FILE] LIST
//
// LIST is a public_suffix_list.dat, as published by publicsuffix.org or installed by
// Debian's package publicsuffix. The generated file records the origin, because Debian's
// copy lacks a version. The output depends on the list and the origin alone.
package main

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
)

func main() {
	origin := flag.String("origin", "publicsuffix.org", "source of the list")
	output := flag.String("o", "table.go", "output file")
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

// run generates the table for the list at the path.
func run(path, origin, output string) error {
	data, err := os.ReadFile(path) //nolint:gosec // the path is an argument of the command
	if err != nil {
		return err
	}
	list, err := parse(data)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	table, err := newTable(list.icann, list.private)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	var file bytes.Buffer
	writeHeader(&file, origin, sha256.Sum256(data), list.version)
	table.write(&file)
	return os.WriteFile(output, file.Bytes(), 0o644) //nolint:gosec // generated source is public
}
