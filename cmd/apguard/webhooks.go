package main

import "github.com/urfave/cli/v3"

// privateWebhooksFlag returns the flag that allows endpoints in the network of the program.
func privateWebhooksFlag(to *bool) cli.Flag {
	return &cli.BoolFlag{
		Name: flagPrivateWebhooks, Destination: to,
		Usage: "let webhook endpoints have http and addresses that are not public; callers who may create them can " +
			"then reach the network of the server",
	}
}
