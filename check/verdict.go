// Package check answers whether an asset may be shown: the status of a content by the asset
// itself, by the assets that cover it, such as its domain, and by external lists.
//
// [Decide] is the rule. It is a pure function of the covers, the assets that exist, and
// the answers of the lists. A [Service] applies it to a store.
package check

import (
	"slices"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// Verdict is the status of a content and where it comes from.
type Verdict struct {
	// Content is the content as it was submitted.
	Content string
	// Identity is the asset that the content names, or the link that a browser opens for it. It
	// need not exist.
	asset.Identity
	// Status is ALLOWED, BLOCKED, or UNKNOWN if nothing decides.
	Status asset.Status
	Source Source
	// Match is the asset that decided. It is nil unless Source is SourceAsset.
	Match *Match
	// Lists has the verdicts of the external lists that hold an opinion, whether they
	// decided or not. UNKNOWN verdicts are omitted.
	Lists []ListVerdict
	// ListErr says which external lists did not answer, and why. The verdict is then that
	// of the others.
	ListErr error
}

// Source says where the status of a [Verdict] comes from.
type Source string

// The sources.
const (
	// SourceAsset is an asset that covers the content.
	SourceAsset Source = "ASSET"
	// SourceList is an external list.
	SourceList Source = "LIST"
	// SourceNone means that nothing decides.
	SourceNone Source = "NONE"
)

// Sources returns every source, in the order of the constants.
func Sources() []Source { return []Source{SourceAsset, SourceList, SourceNone} }

// Match is the asset that decided about a content.
type Match struct {
	// Kind says how the asset covers the content.
	Kind classify.CoverKind
	asset.Asset
}

// Decide returns the verdict for the asset with these covers, which are those of
// [classify.Covering]. The function assetOf returns the asset with an identity, if there is
// one; Decide asks it for one cover after the other until one decides. The Content of the
// verdict is empty.
//
// The first cover whose asset is not UNKNOWN decides. If there is none, a list that blocks
// the asset does. An exemption by a list makes nothing ALLOWED.
func Decide(covers []classify.Cover, assetOf func(asset.Identity) (asset.Asset, bool), lists []ListVerdict) Verdict {
	verdict := Verdict{Status: asset.StatusUnknown, Source: SourceNone, Lists: opinions(lists)}
	if len(covers) > 0 {
		verdict.Identity = covers[0].Identity
	}
	for _, cover := range covers {
		if found, ok := assetOf(cover.Identity); ok && found.Status != asset.StatusUnknown {
			verdict.Status, verdict.Source = found.Status, SourceAsset
			verdict.Match = &Match{Kind: cover.Kind, Asset: found}
			return verdict
		}
	}
	if slices.ContainsFunc(lists, ListVerdict.Blocks) {
		verdict.Status, verdict.Source = asset.StatusBlocked, SourceList
	}
	return verdict
}

// opinions returns the verdicts that are not UNKNOWN.
func opinions(lists []ListVerdict) []ListVerdict {
	var held []ListVerdict
	for _, verdict := range lists {
		if verdict.Status != asset.StatusUnknown {
			held = append(held, verdict)
		}
	}
	return held
}
