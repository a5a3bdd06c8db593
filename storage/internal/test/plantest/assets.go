package plantest

import (
	"time"

	"github.com/apguard/apguard/asset"
)

// AssetFilters returns all kinds of filters of assets.
func AssetFilters() map[string]asset.Filter {
	return map[string]asset.Filter{
		"all":                  {},
		"UNKNOWN":              {Status: asset.StatusUnknown},
		"ALLOWED":              {Status: asset.StatusAllowed},
		"BLOCKED":              {Status: asset.StatusBlocked},
		"a type":               {Type: asset.TypeURL},
		"a rare type":          {Type: asset.TypeEmail},
		"a prefix":             {Prefix: "c7"},
		"a time":               {ChangedSince: time.UnixMilli(5_000)},
		"every field":          {Status: asset.StatusAllowed, Type: asset.TypeURL, Prefix: "c7", ChangedSince: time.UnixMilli(5_000)},
		"BLOCKED, every field": {Status: asset.StatusBlocked, Type: asset.TypeURL, Prefix: "c7", ChangedSince: time.UnixMilli(5_000)},
	}
}
