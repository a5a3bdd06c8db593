package source

import (
	"context"

	"github.com/apguard/apguard/check/hashlist"
	"github.com/apguard/apguard/client"
)

// Hashes returns a function that fetches the hash lists of the server of the client. The key needs the
// scope "check".
func Hashes(c *client.Client) hashlist.Fetch {
	return func(ctx context.Context, version string) (hashlist.Response, error) {
		hashes, err := c.Hashes(ctx, client.HashesRequest{Version: version})
		return hashlist.Response{Data: hashes.Data, AsOf: hashes.AsOf, Rules: hashes.Rules}, err
	}
}
