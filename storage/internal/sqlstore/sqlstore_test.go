package sqlstore_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// numberedDialect is a dialect with numbered placeholders.
func numberedDialect() sqlstore.Dialect {
	return sqlstore.Dialect{
		Placeholders: squirrel.Dollar,
		Position:     "strpos",
		Reserved:     func(column string) string { return column },
		InRange: func(ids sqlstore.IDRange) squirrel.Sqlizer {
			return squirrel.Expr("ids (?, ?)", ids.First, ids.Below)
		},
		AnyOf: func(column string, values []int64) squirrel.Sqlizer {
			return squirrel.Expr(column+" = ANY (?)", values)
		},
	}
}

func ExampleDialect_Proposals() {
	query, args, err := numberedDialect().Proposals([]int64{2, 1}).ToSql()
	_, condition, _ := strings.Cut(query, "WHERE ")
	fmt.Println(condition, args, err)
	// Output:
	// p.report_id = ANY ($1) ORDER BY p.report_id DESC, p.id DESC [[2 1]] <nil>
}

// Nested conditions keep their arguments in order.
func TestDialect_Placeholders(t *testing.T) {
	t.Parallel()
	day := time.Date(2025, 1, 5, 0, 0, 0, 0, time.UTC)
	period := asset.Period{Since: day, Before: day.AddDate(0, 0, 1)}
	disputed := asset.Identity{Type: asset.TypeURL, Canonical: "https://a.example"}
	for name, query := range map[string]squirrel.SelectBuilder{
		"changes": numberedDialect().Changes(asset.ListChangesRequest{Cursor: asset.ChangeCursor{At: day, ID: 1}, Limit: 10, Filter: asset.ChangeFilter{
			Type:     asset.TypeURL,
			Identity: asset.Identity{Type: asset.TypeURL, Canonical: "https://a.example"},
			From:     asset.StatusUnknown,
			To:       asset.StatusAllowed,
			Period:   period,
		}}),
		"reports": numberedDialect().Reports(report.ListRequest{Scope: report.InOrganization(1), Cursor: 5, Limit: 10, Filter: report.Filter{
			Status:            report.StatusTodo,
			SearchQuery:       "a",
			ReporterQuery:     "b",
			ExcludeAutomation: true,
			OnlyRejected:      true,
			ReviewStatuses:    report.ReviewStatuses(),
			ReviewedBy:        1,
			Created:           period,
			BrandIDs:          []int64{1},
		}}, 1),
		"disputes of an email": numberedDialect().Disputes(dispute.ListRequest{
			Filter: dispute.Filter{States: dispute.States(), Email: "ada@a.example", Created: period},
			Cursor: dispute.Cursor{At: day, ID: 1},
			Limit:  10,
		}),
		"disputes of an asset": numberedDialect().Disputes(dispute.ListRequest{
			Filter: dispute.Filter{States: dispute.States(), Identity: disputed, Created: period},
			Cursor: dispute.Cursor{At: day, ID: 1},
			Limit:  10,
		}),
		"the dispute of an asset and an email": numberedDialect().Disputes(dispute.ListRequest{
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

func TestOrCanonical(t *testing.T) {
	t.Parallel()
	require.Nil(t, sqlstore.OrCanonical("https://a.example", "https://a.example"))
	submitted := "HTTPS://A.example"
	require.Equal(t, &submitted, sqlstore.OrCanonical(submitted, "https://a.example"))
	empty := ""
	require.Equal(t, &empty, sqlstore.OrCanonical("", "https://a.example"))
}
