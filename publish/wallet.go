package publish

import (
	"context"
	"io"

	"github.com/apguard/apguard/feed/hotlist"
	"github.com/apguard/apguard/publish/manifest"
)

// The formats of the lists for MetaMask's clients.
const (
	FormatStalelist        = "stalelist"
	FormatRequestBlocklist = "request-blocklist"
)

// wallet returns the lists for MetaMask's clients. It makes those that are due. They have at least the changes up to the
// end of the feed that was read before they were brought up to date.
func (w *work) wallet(ctx context.Context) (files []manifest.File, err error) {
	if w.options.Wallet == nil {
		return nil, nil
	}
	for _, one := range []struct {
		format string
		list   func() (hotlist.Response, error)
	}{
		{FormatStalelist, w.options.Wallet.Stalelist},
		{FormatRequestBlocklist, func() (hotlist.Response, error) { return w.options.Wallet.RequestBlocklist(0) }},
	} {
		f, ok := w.oldExport(manifest.KindMetaMask, one.format)
		if !ok || w.due(f) {
			list, err := one.list()
			if err != nil {
				return nil, err
			}
			f = manifest.File{Kind: manifest.KindMetaMask, Format: one.format, Version: w.feed.End()}
			f, err = w.putWritten(ctx, f, "json", func(to io.Writer) error {
				_, err := list.WriteTo(to)
				return err
			})
			if err != nil {
				return nil, err
			}
		}
		files = append(files, f)
	}
	return files, nil
}
