package hotlist

import (
	"iter"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/apguard/apguard/lists"
)

// Stalelist returns all lists. Its fuzzy matching is off. The error is [ErrNotFilled].
func (h *Hotlist) Stalelist() (Response, error) {
	p := h.published.Load()
	if p == nil {
		return Response{}, ErrNotFilled
	}
	head := `{"data":{"tolerance":0,"version":2,"lastUpdated":` + strconv.FormatInt(p.stamp(), 10)
	return h.newResponse(p.state, func() []section {
		return []section{
			{head + `,"allowlist":[`, texts(lists.WalletAllowed)},
			{`],"blocklist":[`, texts(lists.WalletBlocked)},
			{`],"blocklistPaths":[`, texts(lists.WalletBlockedPaths)},
			{`],"fuzzylist":[]}}`, nil},
		}
	}), nil
}

// texts returns the elements of a list.
func texts(list lists.WalletList) filler { return walkList(list, appendText) }

// walkList returns the texts of a list, each as add adds it.
func walkList(list lists.WalletList, add func(part []byte, text string) []byte) filler {
	return &walk[string]{
		after: func(p *published, last string) iter.Seq[string] {
			return p.lists.After(lists.WalletElement{List: list, Text: last})
		},
		add: add,
	}
}

// appendText adds a text in JSON.
func appendText(part []byte, text string) []byte {
	part, _ = jsontext.AppendQuote(part, text) // fails on invalid UTF-8 only, which no asset has
	return part
}
