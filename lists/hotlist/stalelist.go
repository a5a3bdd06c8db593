package hotlist

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
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
			{head + `,"allowlist":[`, texts(func(p *published) []string { return p.list.Allowed })},
			{`],"blocklist":[`, texts(func(p *published) []string { return p.list.Blocked })},
			{`],"blocklistPaths":[`, texts(func(p *published) []string { return p.list.BlockedPaths })},
			{`],"fuzzylist":[]}}`, nil},
		}
	}), nil
}

// texts returns the elements of a list of texts.
func texts(list func(p *published) []string) filler {
	return &walk[string]{list: list, compare: strings.Compare, add: func(part []byte, _ *published, _ int, text string) []byte {
		return appendText(part, text)
	}}
}

// appendText adds a text in JSON.
func appendText(part []byte, text string) []byte {
	part, _ = jsontext.AppendQuote(part, text) // fails on invalid UTF-8 only, which no asset has
	return part
}
