// Package classifytest provides generators for property-based tests of code that uses
// package classify. They draw valid contents of every type with their classification,
// damaged contents and hostile contents. The generators are of type [rapid.Generator].
//
//	func TestLookup(t *testing.T) {
//		rapid.Check(t, func(t *rapid.T) {
//			submitted := classifytest.Content().Draw(t, "submitted")
//			requested := classifytest.Variant(submitted.Result).Draw(t, "requested")
//
//			register(submitted.Content)
//			if !isRegistered(requested.Content) {
//				t.Fatalf("%q is the same asset as %q", requested.Content, submitted.Content)
//			}
//		})
//	}
//
// The classification follows from the construction of a content. No generator calls
// package classify, so that they can test it too. They do not draw every valid content:
// names do not resemble words that a platform reserves, and domains end in one of a few
// public suffixes.
//
// All functions are safe for concurrent use.
package classifytest

import (
	"strings"

	"pgregory.net/rapid"

	"github.com/apguard/apguard/classify"
)

// Case is a content and the result of [classify.Classify] for it.
type Case struct {
	// Content is the submitted content. It may have outer white space, which
	// Result.Content does not.
	Content string
	classify.Result
}

// Content draws contents of every type.
func Content() *rapid.Generator[Case] {
	return rapid.OneOf(
		URL(), Page(), Address(), Email(), Handle(),
		Twitter(), Instagram(), TikTok(), Telegram(), Discord(),
		Medium(), GitHub(), YouTube(), LinkedIn(), Twitch(),
	)
}

// Variant draws another notation of the asset of a result of [classify.Classify] or a
// [Case]: with outer white space, in another letter case where that is free, with or
// without www. before a platform's host, with a default port, percent-encoded and so
// on. It may draw the canonical form itself.
func Variant(of classify.Result) *rapid.Generator[Case] {
	return rapid.Custom(func(t *rapid.T) Case { return newCase(write(t, of), of) })
}

// written draws one of the assets and a notation of it.
func written(assets *rapid.Generator[classify.Result]) *rapid.Generator[Case] {
	return rapid.Custom(func(t *rapid.T) Case {
		of := assets.Draw(t, "asset")
		return newCase(write(t, of), of)
	})
}

func newCase(content string, of classify.Result) Case {
	of.Content = strings.TrimSpace(content)
	return Case{Content: content, Result: of}
}
