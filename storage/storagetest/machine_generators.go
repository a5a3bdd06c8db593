package storagetest

import (
	"time"

	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

// The state machine draws from few values, so that its steps affect the same records.

const assetCount = 6

var (
	organizationIDs = [...]int64{1, 2, 3}
	slugs           = [...]string{"a", "A", "b", "c"}
	secrets         = [...]string{"first", "second", "third", "fourth"}

	anyOrganization = rapid.SampledFrom(organizationIDs[:])
	anySecret       = rapid.SampledFrom(secrets[:])
	anyUser         = rapid.Int64Range(1, 3)
	anyBrand        = rapid.Int64Range(1, 3)
	anyStatus       = rapid.SampledFrom(asset.Statuses())
	anyReviewStatus = rapid.SampledFrom(report.ReviewStatuses())
	anyIdentity     = rapid.Map(rapid.IntRange(0, assetCount-1), machineAsset)
	anyLimit        = rapid.IntRange(1, 4)
	anyTime         = rapid.Map(rapid.IntRange(0, 3), at)
	// anyText is a text in which searches may find another one.
	anyText = rapid.SampledFrom([]string{"", "a", "B", "aB\u00e9", "b\u00c9", "\u03c3\u03c2", "%", "a_"})
)

// machineAsset returns the identity of the state machine's n-th asset. Some differ only in
// their type.
func machineAsset(n int) asset.Identity {
	stepped := site(n % 4)
	if n >= 4 {
		stepped.Type = asset.TypePage
	}
	return stepped
}

// maybe draws 0, which means none, or from the generator.
func maybe(id *rapid.Generator[int64]) *rapid.Generator[int64] {
	return rapid.OneOf(rapid.Just[int64](0), id)
}

// sometimes draws the zero value or from the generator.
func sometimes[T any](value *rapid.Generator[T]) *rapid.Generator[T] {
	var anything T
	return rapid.OneOf(rapid.Just(anything), rapid.Just(anything), value)
}

// cursorOr draws the cursor of an item, or from the generator.
func cursorOr[T, C any](items []T, cursor func(T) C, other *rapid.Generator[C]) *rapid.Generator[C] {
	if len(items) == 0 {
		return other
	}
	return rapid.OneOf(rapid.Map(rapid.SampledFrom(items), cursor), other)
}

// anyBound is at most a microsecond from the boundary of a millisecond.
var anyBound = rapid.Custom(func(t *rapid.T) time.Time {
	within := time.Duration(rapid.IntRange(-1, 1).Draw(t, "microseconds")) * time.Microsecond
	return anyTime.Draw(t, "milliseconds").Add(within)
})

var anyPeriod = rapid.Custom(func(t *rapid.T) asset.Period {
	return asset.Period{Since: sometimes(anyBound).Draw(t, "since"), Before: sometimes(anyBound).Draw(t, "before")}
})

var anyChangeFilter = rapid.Custom(func(t *rapid.T) asset.ChangeFilter {
	return asset.ChangeFilter{
		Type:     sometimes(rapid.SampledFrom([]asset.Type{asset.TypeURL, asset.TypePage})).Draw(t, "type"),
		Identity: sometimes(anyIdentity).Draw(t, "identity"),
		From:     sometimes(anyStatus).Draw(t, "from"),
		To:       sometimes(anyStatus).Draw(t, "to"),
		Period:   anyPeriod.Draw(t, "period"),
	}
})

var anyReportFilter = rapid.Custom(func(t *rapid.T) report.Filter {
	query := sometimes(rapid.SampledFrom([]string{" ", "\u2003", "A", "b", "B\u00e9", "\u03a3", "%", "_"}))
	return report.Filter{
		Status:            sometimes(rapid.SampledFrom(report.Statuses())).Draw(t, "status"),
		Identity:          sometimes(anyIdentity).Draw(t, "asset"),
		SearchQuery:       query.Draw(t, "search"),
		ReporterQuery:     query.Draw(t, "reporter"),
		ExcludeAutomation: sometimes(rapid.Bool()).Draw(t, "exclude automation"),
		OnlyRejected:      sometimes(rapid.Bool()).Draw(t, "only rejected"),
		ReviewStatuses:    sometimes(rapid.SliceOfN(rapid.SampledFrom(report.ReviewStatuses()), 0, 2)).Draw(t, "reviews"),
		ReviewedBy:        sometimes(anyUser).Draw(t, "reviewed by"),
		Created:           anyPeriod.Draw(t, "created"),
		BrandIDs:          sometimes(rapid.SliceOfN(rapid.Int64Range(0, 3), 0, 2)).Draw(t, "brands"),
	}
})
