// Command console serves a page for teams that protect assets, on the public API and the API for
// operators. The page has the core rules as WebAssembly. Without a subcommand it serves the page
// and both APIs on a SQLite file with demo data:
//
//	go run ./console
//
// The subcommand build writes the files of the page for any web server:
//
//	go run ./console build -o DIR -api https://api.example/api/v2 -operator-api https://api.example/operator
//
// Both need the Go toolchain, and a working directory in the module.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "console:", err)
		os.Exit(1)
	}
}

// run builds the files of the page, or serves until ctx is canceled.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) > 0 && args[0] == "build" {
		return runBuild(ctx, args[1:], stdout, stderr)
	}
	return runServer(ctx, args, stdout, stderr)
}

// runBuild writes the files of the page to a directory.
func runBuild(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("console build", flag.ContinueOnError)
	flags.SetOutput(stderr)
	dir := flags.String("o", "", "`directory` to write, which is created")
	var addresses addresses
	flags.StringVar(&addresses.API, "api", publicBase, "base `URL` of the public API")
	flags.StringVar(&addresses.OperatorAPI, "operator-api", operatorBase, "base `URL` of the operators' API")
	if err := parse(flags, args); err != nil {
		return err
	}
	if *dir == "" {
		return errors.New("-o is required")
	}
	files, err := buildSite(ctx, addresses)
	if err != nil {
		return err
	}
	if err := files.write(*dir); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%d files in %s\n", len(files), *dir)
	return err
}

// parse parses flags and refuses other arguments.
func parse(flags *flag.FlagSet, args []string) error {
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	return nil
}
