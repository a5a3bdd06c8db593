package check

import (
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// Verdict is the status of a content and where it comes from.
type Verdict struct {
	// Content is the content as it was submitted.
	Content string `json:"content"`
	// Identity is the asset that the content names, or the link that a browser opens for it. It
	// need not exist.
	asset.Identity
	// Status is ALLOWED, BLOCKED, or UNKNOWN if nothing decides.
	Status asset.Status `json:"status"`
	Source Source       `json:"source"`
	// Match is the asset that decided. It is nil unless Source is SourceAsset.
	Match *Match `json:"match"`
	// Lists has the verdicts of the external lists that hold an opinion, whether they
	// decided or not. UNKNOWN verdicts are omitted.
	Lists []ListVerdict `json:"lists"`
	// ListsFailed has the external lists that did not answer. The verdict is then that of the
	// others: one of these lists could block what is UNKNOWN. See [Options.FailClosed].
	ListsFailed ListFailures `json:"listsFailed"`
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
	Kind classify.CoverKind `json:"kind"`
	// Known has the basis of the status. Of a copy such as a mirror, it may have the reason alone.
	asset.Known
}
