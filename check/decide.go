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

// Decide returns the verdict for the asset with these covers, which are those of
// [classify.Covering]. The function assetOf returns the asset with an identity, if there is
// one; Decide asks it for one cover after the other, for no more than the steps up to the one
// that decides, and for covers that withhold only if another one of their step is ALLOWED. The
// Content of the verdict is empty.
//
// The covers of a step are forms of one text. The first step with a cover that decides is the
// one that counts. In it, a cover that is BLOCKED decides before one that is ALLOWED. Of several
// with the same status, the first decides. UNKNOWN covers decide nothing, and
// [classify.CoverEffect] says which others do not. If no cover decides, a list that blocks the
// asset does. An exemption by a list makes nothing ALLOWED.
func Decide(covers []classify.Cover, assetOf func(asset.Identity) (asset.Known, bool), lists []ListVerdict) Verdict {
	verdict := Verdict{Status: asset.StatusUnknown, Source: SourceNone, Lists: opinions(lists)}
	if len(covers) > 0 {
		verdict.Identity = covers[0].Identity
	}
	for len(covers) > 0 {
		n := 1
		for n < len(covers) && covers[n].Step == covers[0].Step {
			n++
		}
		if match := decideStep(covers[:n], assetOf); match != nil {
			verdict.Status, verdict.Source, verdict.Match = match.Status, SourceAsset, match
			return verdict
		}
		covers = covers[n:]
	}
	if slices.ContainsFunc(lists, ListVerdict.Blocks) {
		verdict.Status, verdict.Source = asset.StatusBlocked, SourceList
	}
	return verdict
}

// decideStep returns the asset that decides among the covers of a step, or nil.
func decideStep(covers []classify.Cover, assetOf func(asset.Identity) (asset.Known, bool)) *Match {
	var allowed *Match
	for _, cover := range covers {
		if cover.Effect == classify.CoverWithholds {
			continue
		}
		found, ok := assetOf(cover.Identity)
		switch {
		case !ok:
		case found.Status == asset.StatusBlocked:
			return &Match{Kind: cover.Kind, Known: found}
		case found.Status == asset.StatusAllowed && cover.Effect == classify.CoverDecides && allowed == nil:
			allowed = &Match{Kind: cover.Kind, Known: found}
		}
	}
	if allowed != nil && withheld(covers, assetOf) {
		return nil
	}
	return allowed
}

// withheld reports whether a cover of a step keeps those that are ALLOWED from deciding.
func withheld(covers []classify.Cover, assetOf func(asset.Identity) (asset.Known, bool)) bool {
	return slices.ContainsFunc(covers, func(cover classify.Cover) bool {
		if cover.Effect != classify.CoverWithholds {
			return false
		}
		found, ok := assetOf(cover.Identity)
		return ok && found.Status == asset.StatusBlocked
	})
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
