package client

import (
	"context"
	"io"
	"iter"
	"time"

	"github.com/apguard/apguard/asset"
)

// SetSleep replaces the wait between two attempts.
func SetSleep(c *Client, sleep func(context.Context, time.Duration) error) { c.sleep = sleep }

// SetOperatorSleep is SetSleep for an Operator.
func SetOperatorSleep(o *Operator, sleep func(context.Context, time.Duration) error) { o.sleep = sleep }

// ArrayItems and LineItems decode the streams.
func ArrayItems(body io.Reader) iter.Seq2[asset.Change, error] {
	return arrayItems[asset.Change](body, "changelog")
}

// LineItems decodes an export.
func LineItems(body io.Reader) iter.Seq2[Asset, error] { return lineItems[Asset](body) }
