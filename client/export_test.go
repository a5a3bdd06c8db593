package client

import (
	"context"
	"io"
	"iter"
	"time"
)

// SetSleep replaces the wait between two attempts.
func SetSleep(c *Client, sleep func(context.Context, time.Duration) error) { c.sleep = sleep }

// ArrayItems and LineItems decode the streams.
func ArrayItems(body io.Reader) iter.Seq2[Change, error] {
	return arrayItems[Change](body, "changelog")
}

// LineItems decodes an export.
func LineItems(body io.Reader) iter.Seq2[Asset, error] { return lineItems[Asset](body) }
