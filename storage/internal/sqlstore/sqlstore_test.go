package sqlstore_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// numbered is a dialect that numbers its placeholders.
func numbered() sqlstore.Dialect {
	return sqlstore.Dialect{
		Placeholders: squirrel.Dollar,
		Position:     "strpos",
		AnyOf: func(column string, values []int64) squirrel.Sqlizer {
			return squirrel.Expr(column+" = ANY (?)", values)
		},
	}
}

func ExampleDialect_Proposals() {
	query, args, err := numbered().Proposals([]int64{1, 2}).ToSql()
	_, condition, _ := strings.Cut(query, "WHERE ")
	fmt.Println(condition, args, err)
	// Output:
	// p.report_id = ANY ($1) ORDER BY p.report_id, p.id [[1 2]] <nil>
}

// Conditions within conditions keep their arguments, in their order.
func TestEveryArgumentHasItsPlaceholder(t *testing.T) {
	t.Parallel()
	day := time.Date(2025, 1, 5, 0, 0, 0, 0, time.UTC)
	period := asset.Period{Since: day, Before: day.AddDate(0, 0, 1)}
	disputed := asset.Identity{Type: asset.TypeURL, Canonical: "https://a.example"}
	for name, query := range map[string]squirrel.SelectBuilder{
		"changes": numbered().Changes(asset.ChangeFilter{
			Type:     asset.TypeURL,
			Identity: asset.Identity{Type: asset.TypeURL, Canonical: "https://a.example"},
			From:     asset.StatusUnknown,
			To:       asset.StatusAllowed,
			Period:   period,
		}, asset.ChangeCursor{At: day, ID: 1}, 10),
		"reports": numbered().Reports(report.ListRequest{Scope: report.InOrganization(1), Cursor: 5, Limit: 10, Filter: report.Filter{
			Status:            report.StatusTodo,
			SearchQuery:       "a",
			ReporterQuery:     "b",
			ExcludeAutomation: true,
			OnlyRejected:      true,
			ReviewStatuses:    report.ReviewStatuses(),
			ReviewedBy:        1,
			Created:           period,
			BrandIDs:          []int64{1},
		}}),
		"disputes by an address": numbered().Disputes(dispute.ListRequest{
			Filter: dispute.Filter{States: dispute.States(), Email: "ada@a.example", Created: period},
			Cursor: dispute.Cursor{At: day, ID: 1},
			Limit:  10,
		}),
		"disputes of an asset": numbered().Disputes(dispute.ListRequest{
			Filter: dispute.Filter{States: dispute.States(), Identity: disputed, Created: period},
			Cursor: dispute.Cursor{At: day, ID: 1},
			Limit:  10,
		}),
		"the dispute of an asset by an address": numbered().Disputes(dispute.ListRequest{
			Filter: dispute.Filter{Identity: disputed, Email: "ada@a.example"},
			Limit:  10,
		}),
	} {
		text, args, err := query.ToSql()
		require.NoError(t, err, name)
		require.NotContains(t, text, "?", name)
		require.Contains(t, text, fmt.Sprintf("$%d", len(args)), name)
		require.NotContains(t, text, fmt.Sprintf("$%d", len(args)+1), name)
	}
}

func TestTimesComeBackInWholeMilliseconds(t *testing.T) {
	t.Parallel()
	require.Equal(t, time.Time{}, sqlstore.Time(sqlstore.Millis(time.Time{})), "the zero time stays zero")
	rapid.Check(t, func(t *rapid.T) {
		zone := time.FixedZone("", rapid.IntRange(-14*3600, 14*3600).Draw(t, "offset"))
		at := time.Unix(rapid.Int64Range(-62135596800, 253402300799).Draw(t, "seconds"),
			rapid.Int64Range(0, 999999999).Draw(t, "nanoseconds")).In(zone)
		require.Equal(t, asset.TruncateTime(at), sqlstore.Time(sqlstore.Millis(at)))
	})
}

func TestOrCanonical(t *testing.T) {
	t.Parallel()
	require.Nil(t, sqlstore.OrCanonical("https://a.example", "https://a.example"))
	submitted := "HTTPS://A.example"
	require.Equal(t, &submitted, sqlstore.OrCanonical(submitted, "https://a.example"))
	empty := ""
	require.Equal(t, &empty, sqlstore.OrCanonical("", "https://a.example"))
}
