package main

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
)

// verdict is the key by which checks are counted.
type verdict struct {
	status asset.Status
	source check.Source
}

// verdicts has the numbers of checks.
type verdicts map[verdict]int64

// newVerdicts returns verdicts whose usual counts are there from the start, so that their first increase is
// seen.
func newVerdicts() verdicts {
	return verdicts{
		{asset.StatusAllowed, check.SourceAsset}: 0,
		{asset.StatusBlocked, check.SourceAsset}: 0,
		{asset.StatusBlocked, check.SourceList}:  0,
		{asset.StatusUnknown, check.SourceNone}:  0,
	}
}

// write writes the counts.
func (v verdicts) write(to *page) {
	to.family("apguard_checks_total", "counter", "Checked contents by status, and by what decided: an asset, a list or nothing.")
	for _, one := range slices.SortedFunc(maps.Keys(v), compareVerdicts) {
		to.sample("apguard_checks_total", strconv.FormatInt(v[one], 10), "status", string(one.status), "source", string(one.source))
	}
}

func compareVerdicts(a, b verdict) int {
	return cmp.Or(cmp.Compare(a.status, b.status), cmp.Compare(a.source, b.source))
}
