// Command apguard is a complete asset protection service that uses only the public packages of the module.
// The subcommand demo serves a demo on demo.db in the working directory:
//
//	go run ./cmd/apguard demo
//
// The subcommand help lists the others, and -help after a subcommand describes it. Flags have one or two
// hyphens. The exit status is 0 after a success, 1 after a failure, 2 if the command line is wrong or the API
// refuses the request as invalid, and 3 for a negative result: a content that check was asked about is BLOCKED,
// contents were refused, or a list was not taken.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program immediately
	err := program{os.LookupEnv, os.Stdin, os.Stdout, os.Stderr}.run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "apguard:", err)
	}
	os.Exit(exitStatus(err))
}

// The exit statuses of the program.
const (
	exitFailure  = 1
	exitUsage    = 2
	exitNegative = 3
)

// negativeError is a negative result of a command that did its work.
type negativeError string

// Error implements error.
func (e negativeError) Error() string { return string(e) }

// exitStatus returns the exit status for the error of a command.
func exitStatus(err error) int {
	switch {
	case err == nil:
		return 0
	case errors.As(err, new(usageError)):
		return exitUsage
	case errors.As(err, new(negativeError)):
		return exitNegative
	default:
		return exitFailure
	}
}
