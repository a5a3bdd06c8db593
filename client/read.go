package client

import (
	"encoding/json"
	"io"
	"iter"
)

// ReadExport yields the assets of a list in the form of [Client.Export], such as one that is published as a file, while
// r is read. An error ends the sequence, also if the list is incomplete. It is that of r or matches [ErrResponse].
func ReadExport(r io.Reader) iter.Seq2[Asset, error] {
	return func(yield func(Asset, error) bool) {
		for one, err := range lineItems[Asset](r) {
			if err == nil {
				err = validateListed(one)
			}
			if err != nil {
				yield(Asset{}, err)
				return
			}
			if !yield(one, nil) {
				return
			}
		}
	}
}

// ReadFeedPage returns a page of the feed in the form of [Client.Feed], such as one that is published as a file. Its Age
// and its Rules are zero. The error matches [ErrResponse].
func ReadFeedPage(data []byte) (FeedPage, error) {
	var page FeedPage
	if err := json.Unmarshal(data, &page); err != nil {
		return FeedPage{}, decodingError(err)
	}
	if err := page.validate(); err != nil {
		return FeedPage{}, err
	}
	return page, nil
}
