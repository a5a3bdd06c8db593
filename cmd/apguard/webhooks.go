package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/webhook"
	"github.com/apguard/apguard/webhook/deliver"
)

// webhooks returns the commands on webhooks.
func (p program) webhooks() *cli.Command {
	c := group("webhooks", "manage receivers of changes and disputes",
		p.createWebhook(),
		p.listWebhooks(),
		p.webhook("pause", "send nothing until the webhook is resumed", func(ctx context.Context, webhooks *webhook.Service, id int64) error {
			_, err := webhooks.Pause(ctx, id)
			return err
		}),
		p.webhook("resume", "send again, from the event after the last", func(ctx context.Context, webhooks *webhook.Service, id int64) error {
			_, err := webhooks.Resume(ctx, id)
			return err
		}),
		p.webhook("rotate", "print a new secret, once; the old one signs too for a day", func(ctx context.Context, webhooks *webhook.Service, id int64) error {
			secret, err := webhooks.Rotate(ctx, id)
			return p.showSecret(id, secret, err)
		}),
		p.testWebhook(),
		p.replayWebhook(),
		p.webhook("remove", "remove a webhook", func(ctx context.Context, webhooks *webhook.Service, id int64) error {
			return webhooks.Remove(ctx, id)
		}),
	)
	c.Description = "A webhook receives the events after its creation."
	return c
}

// privateWebhooksFlag returns the flag that allows endpoints in the network of the program.
func privateWebhooksFlag(to *bool) cli.Flag {
	return &cli.BoolFlag{
		Name: flagPrivateWebhooks, Destination: to,
		Usage: "let webhook endpoints have http and addresses that are not public; callers who may create them can " +
			"then reach the network of the server",
	}
}

func (p program) createWebhook() *cli.Command {
	var (
		url                     string
		events, types, statuses []string
		private                 bool
	)
	request := func() webhook.CreateRequest {
		return webhook.CreateRequest{URL: url, Events: typed[webhook.EventType](events), Filter: webhook.Filter{
			Types: typed[asset.Type](types), Statuses: typed[asset.Status](statuses),
		}}
	}
	trim := cli.StringConfig{TrimSpace: true}
	return &cli.Command{
		Name:        "create",
		Usage:       "create a webhook and print its secret, once",
		Description: "Only the secret, which signs the messages, is written to the standard output.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "url", Usage: "`URL` of the receiver", Destination: &url},
			&cli.StringSliceFlag{
				Name: "events", Destination: &events, Config: trim, Value: []string{string(webhook.EventStatusChanged)},
				Usage: "`EVENTS` to send: some of asset.status_changed,dispute.created,dispute.resolved,pending.created",
			},
			&cli.StringSliceFlag{Name: "types", Usage: "`TYPES` of assets whose changes are sent, such as URL", Destination: &types, Config: trim},
			&cli.StringSliceFlag{Name: "statuses", Usage: "`STATUSES` after the changes that are sent, such as BLOCKED", Destination: &statuses, Config: trim},
			privateWebhooksFlag(&private),
			dbFlag(),
		},
		Action: p.onStore(func(c *cli.Command) error {
			err := cmp.Or(noArguments(c), request().Validate(private))
			if errors.Is(err, webhook.ErrNotPublic) {
				return fmt.Errorf("%w; -private-webhooks allows it", err)
			}
			return err
		}, func(ctx context.Context, store storage.Store) error {
			guard := apguard.New(store, apguard.Options{PrivateWebhooks: private})
			e, secret, err := guard.Webhooks.Create(ctx, request())
			return p.showSecret(e.ID, secret, err)
		}),
	}
}

func (p program) listWebhooks() *cli.Command {
	return &cli.Command{
		Name:  "list",
		Usage: "list all webhooks",
		Flags: []cli.Flag{dbFlag()},
		Action: p.onGuard(noArguments, func(ctx context.Context, guard *apguard.Guard) error {
			return p.printWebhooks(guard.Webhooks.All(ctx))
		}),
	}
}

// webhook returns a command on one webhook.
func (p program) webhook(name, usage string, act func(ctx context.Context, webhooks *webhook.Service, id int64) error) *cli.Command {
	return p.onWebhook(&cli.Command{Name: name, Usage: usage}, nil, func(ctx context.Context, store storage.Store, id int64) error {
		return act(ctx, apguard.New(store, apguard.Options{}).Webhooks, id)
	})
}

// onWebhook completes a command on one webhook. check validates the flags, and can be nil.
func (p program) onWebhook(c *cli.Command, check func() error, act func(ctx context.Context, store storage.Store, id int64) error) *cli.Command {
	var id int64
	c.ArgsUsage = "ID"
	c.Flags = append(c.Flags, dbFlag())
	c.Action = p.onStore(func(c *cli.Command) (err error) {
		if c.NArg() == 1 {
			id, _ = strconv.ParseInt(c.Args().First(), 10, 64)
		}
		if !asset.ValidID(id) {
			return errors.New("missing ID; give that of one webhook, as webhooks list shows it")
		}
		if check != nil {
			return check()
		}
		return nil
	}, func(ctx context.Context, store storage.Store) error {
		err := act(ctx, store, id)
		if errors.Is(err, webhook.ErrNotFound) {
			return fmt.Errorf("unknown webhook %d; use webhooks list to see all", id)
		}
		return err
	})
	return c
}

func (p program) testWebhook() *cli.Command {
	var private bool
	return p.onWebhook(&cli.Command{
		Name:        "test",
		Usage:       "send a test message at once, whatever the state of the webhook is",
		Description: "Fails if the receiver does not accept the message.",
		Flags:       []cli.Flag{privateWebhooksFlag(&private)},
	}, nil, func(ctx context.Context, store storage.Store, id int64) error {
		guard := apguard.New(store, apguard.Options{PrivateWebhooks: private})
		outcome, err := deliver.New(guard.Webhooks, deliver.Options{}).Test(ctx, id)
		switch {
		case err != nil:
			return err
		case !outcome.Succeeded():
			return errors.New("the test message was not accepted: " + describeOutcome(outcome))
		}
		_, err = fmt.Fprintln(p.stdout, "The receiver has accepted the test message: "+describeOutcome(outcome))
		return err
	})
}

func (p program) replayWebhook() *cli.Command {
	var (
		text string
		from time.Time
		c    *cli.Command
	)
	c = p.onWebhook(&cli.Command{
		Name:  "replay",
		Usage: "send the events since a time again",
		Flags: []cli.Flag{&cli.StringFlag{
			Name: "from", Destination: &text,
			Usage: "`TIME` of the first event, a day or a time such as 2025-06-01T12:00:00Z; without the flag, all events are sent",
		}},
	}, func() (err error) {
		if c.IsSet("from") {
			from, err = parseMoment(text)
		}
		return err
	}, func(ctx context.Context, store storage.Store, id int64) error {
		_, err := apguard.New(store, apguard.Options{}).Webhooks.Replay(ctx, id, from)
		return err
	})
	return c
}

// parseMoment parses a day in UTC, which means its start, or a time.
func parseMoment(text string) (time.Time, error) {
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day, nil
	}
	if at, ok := asset.ParseTime(text); ok {
		return at, nil
	}
	return time.Time{}, errors.New("-from must be a day or a time such as 2025-06-01T12:00:00Z")
}

// showSecret writes only the new secret to the standard output, for scripts, and the webhook to the standard error.
func (p program) showSecret(id int64, secret webhook.Secret, err error) error {
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(p.stdout, secret.Reveal()); err != nil {
		return err
	}
	_, _ = fmt.Fprintf(p.stderr, "The secret of webhook %d is shown only once.\n", id)
	return nil
}
