package main

import "github.com/urfave/cli/v3"

func (p program) console() *cli.Command { return &cli.Command{Name: "console"} }
