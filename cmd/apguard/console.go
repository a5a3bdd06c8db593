package main

import (
	"context"
	"errors"

	"github.com/urfave/cli/v3"

	"github.com/apguard/apguard/console"
)

// console returns the command that serves a web console, and the one below it that writes its files.
func (p program) console() *cli.Command {
	var c consoleConfig
	return &cli.Command{
		Name:  "console",
		Usage: "serve a web console with demo data",
		Description: `Serves the page and both APIs on a SQLite file, which is created with demo data, and prints a link with two
keys. Without -page, it needs the Go toolchain, and a working directory in the module.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "addr", Value: "127.0.0.1:8090", Usage: "loopback `HOST:PORT` to listen on", Destination: &c.addr, Local: true},
			&cli.StringFlag{Name: flagDB, Value: "console.db", Usage: "SQLite `FILE`", Destination: &c.db, Local: true},
			&cli.StringFlag{
				Name: "allow-origin", Destination: &c.allowedOrigin, Local: true,
				Usage: "`ORIGIN` of another web server whose pages may call the APIs",
			},
			&cli.StringFlag{
				Name: "page", Destination: &c.page, Local: true,
				Usage: "`DIR` of \"apguard console build\", in place of a build",
			},
			fourEyesFlag(&c.fourEyes),
		},
		Commands: []*cli.Command{p.consoleBuild()},
		Action: func(ctx context.Context, command *cli.Command) error {
			if command.Args().Present() {
				return missingCommand(ctx, command)
			}
			if err := c.check(); err != nil {
				return wrongUsage(command, err)
			}
			return runConsole(ctx, c, p.stdout, p.stderr)
		},
	}
}

// consoleBuild returns the command that writes the files of the console.
func (p program) consoleBuild() *cli.Command {
	var (
		dir       string
		addresses console.Addresses
	)
	return &cli.Command{
		Name:        "build",
		Usage:       "write the files of the console for any web server",
		Description: "It needs the Go toolchain, and a working directory in the module.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "o", Usage: "`DIRECTORY` to write, which is created", Destination: &dir, TakesFile: true},
			&cli.StringFlag{Name: "api", Value: defaultBase, Usage: "base `URL` of the public API", Destination: &addresses.API},
			&cli.StringFlag{
				Name: "operator-api", Value: operatorBase, Usage: "base `URL` of the operators' API", Destination: &addresses.OperatorAPI,
			},
		},
		Action: func(ctx context.Context, command *cli.Command) error {
			if err := noArguments(command); err != nil {
				return wrongUsage(command, err)
			}
			if dir == "" {
				return wrongUsage(command, errors.New("-o is required"))
			}
			err := runConsoleBuild(ctx, dir, addresses, p.stdout)
			if errors.Is(err, console.ErrAddress) {
				return wrongUsage(command, err)
			}
			return err
		},
	}
}
