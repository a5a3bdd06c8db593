package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/webhook"
	"github.com/apguard/apguard/webhook/deliver"
)

const webhooksUsage = `Usage:
  server webhooks create -url URL [-events LIST] [-types LIST] [-statuses LIST] [-private-webhooks]
                         [-db DB]
  server webhooks list   [-db DB]
  server webhooks pause  [-db DB] ID
  server webhooks resume [-db DB] ID
  server webhooks rotate [-db DB] ID
  server webhooks test   [-private-webhooks] [-db DB] ID
  server webhooks replay [-from TIME] [-db DB] ID
  server webhooks remove [-db DB] ID

A webhook receives the events after its creation. LIST is comma-separated: of the events
asset.status_changed, which is the default, dispute.created and dispute.resolved, of types of
assets such as URL, or of statuses after a change such as BLOCKED. create and rotate print the
secret, which signs the messages; after rotate, the old one signs too for a day. test sends a
message at once, whatever the state of the webhook is. replay sends the events since TIME again, a
day or a time such as 2025-06-01T12:00:00Z, or all without -from. -private-webhooks allows http and
addresses that are not public, and is a flag of the server, too. DB is as for the server, which
must have been started on it once.
`

// webhooksCommand is a command on webhooks and the values of its flags.
type webhooksCommand struct {
	name    string
	db      database
	request webhook.CreateRequest
	private bool
	from    time.Time
	id      int64
}

// runWebhooks runs a command on the webhooks of a database. A server may use the database at the
// same time.
func runWebhooks(ctx context.Context, args []string, env environment, stdout, stderr io.Writer) (err error) {
	command, err := parseWebhooks(args, env, stderr)
	if err != nil {
		return err
	}
	store, err := command.db.openExisting(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	err = command.run(ctx, apguard.New(store, apguard.Options{PrivateWebhooks: command.private}), stdout, stderr)
	if errors.Is(err, webhook.ErrNotFound) {
		return fmt.Errorf("unknown webhook %d; use webhooks list to see all", command.id)
	}
	return err
}

func parseWebhooks(args []string, env environment, stderr io.Writer) (webhooksCommand, error) {
	c := webhooksCommand{request: webhook.CreateRequest{Events: []webhook.EventType{webhook.EventStatusChanged}}}
	if len(args) > 0 {
		c.name, args = args[0], args[1:]
	}
	flags := newCommand("webhooks "+c.name, webhooksUsage, env, stderr)
	switch c.name {
	case "create":
		flags.StringVar(&c.request.URL, "url", "", "")
		flags.Func("events", "", listOf(&c.request.Events))
		flags.Func("types", "", listOf(&c.request.Filter.Types))
		flags.Func("statuses", "", listOf(&c.request.Filter.Statuses))
		flags.BoolVar(&c.private, flagPrivateWebhooks, false, "")
	case "test":
		flags.BoolVar(&c.private, flagPrivateWebhooks, false, "")
	case "replay":
		flags.Func("from", "", func(text string) (err error) {
			c.from, err = parseMoment(text)
			return err
		})
	case "list", "pause", "resume", "rotate", "remove":
	default:
		return c, flags.unknown(c.name, "create, list, pause, resume, rotate, test, replay or remove")
	}
	var err error
	c.db, err = flags.parse(args, func() error { return c.check(flags.FlagSet) })
	return c, err
}

// parseMoment parses a day in UTC, which means its start, or a time.
func parseMoment(text string) (time.Time, error) {
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day, nil
	}
	if at, ok := asset.ParseTime(text); ok {
		return at, nil
	}
	return time.Time{}, errors.New("must be a day or a time such as 2025-06-01T12:00:00Z")
}

// check reads the arguments after the flags and validates the command. Its errors do not contain the
// arguments, as a URL may have a token.
func (c *webhooksCommand) check(flags *flag.FlagSet) error {
	rest := flags.Args()
	if c.name != "create" && c.name != "list" {
		if len(rest) == 1 {
			c.id, _ = strconv.ParseInt(rest[0], 10, 64)
		}
		if !asset.ValidID(c.id) {
			return errors.New("missing ID; give that of one webhook after the flags, as webhooks list shows it")
		}
		rest = nil
	}
	switch {
	case len(rest) > 0:
		return errUnexpectedArgument
	case c.name == "create":
		err := c.request.Validate(c.private)
		if errors.Is(err, webhook.ErrNotPublic) {
			return fmt.Errorf("%w; -private-webhooks allows it", err)
		}
		return err
	}
	return nil
}

func (c *webhooksCommand) run(ctx context.Context, guard *apguard.Guard, stdout, stderr io.Writer) (err error) {
	webhooks := guard.Webhooks
	switch c.name {
	case "create":
		e, secret, err := webhooks.Create(ctx, c.request)
		return showSecret(e.ID, secret, err, stdout, stderr)
	case "rotate":
		secret, err := webhooks.Rotate(ctx, c.id)
		return showSecret(c.id, secret, err, stdout, stderr)
	case "list":
		return listWebhooks(webhooks.All(ctx), stdout)
	case "test":
		return c.test(ctx, guard, stdout)
	case "pause":
		_, err = webhooks.Pause(ctx, c.id)
	case "resume":
		_, err = webhooks.Resume(ctx, c.id)
	case "replay":
		_, err = webhooks.Replay(ctx, c.id, c.from)
	case "remove":
		err = webhooks.Remove(ctx, c.id)
	}
	return err
}

// showSecret writes only the new secret to stdout, for scripts, and the webhook to stderr.
func showSecret(id int64, secret webhook.Secret, err error, stdout, stderr io.Writer) error {
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(stdout, secret.Reveal()); err != nil {
		return err
	}
	_, _ = fmt.Fprintf(stderr, "The secret of webhook %d is shown only once.\n", id)
	return nil
}

// test sends a test message. It fails if the receiver does not accept it.
func (c *webhooksCommand) test(ctx context.Context, guard *apguard.Guard, stdout io.Writer) error {
	outcome, err := deliver.New(guard.Webhooks, deliver.Options{}).Test(ctx, c.id)
	switch {
	case err != nil:
		return err
	case !outcome.Succeeded():
		return errors.New("the test message was not accepted: " + describeOutcome(outcome))
	}
	_, err = fmt.Fprintln(stdout, "The receiver has accepted the test message: "+describeOutcome(outcome))
	return err
}
