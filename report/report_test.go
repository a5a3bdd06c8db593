package report_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

func TestReport_Updated(t *testing.T) {
	t.Parallel()
	filed := report.Report{CreatedAt: noon, UpdatedAt: noon, Proposals: []report.Proposal{{ReviewStatus: reject}}}
	updated := filed.Updated(noon.Add(time.Hour + time.Microsecond))
	require.Equal(t, report.StatusClosed, updated.Status)
	require.Equal(t, noon.Add(time.Hour), updated.UpdatedAt, "in whole milliseconds")
	require.Equal(t, noon, filed.Updated(noon.Add(-time.Hour)).UpdatedAt, "the clock was set back")
}

func TestReport_JSON(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal(report.Report{
		ID: 1, OrganizationID: 2, Title: "Title", Status: report.StatusTodo, CreatedAt: noon, UpdatedAt: noon,
		Proposals: []report.Proposal{{ID: 3, Content: "A.example", ProposedStatus: asset.StatusBlocked}},
	})
	require.NoError(t, err)
	var fields map[string]any
	require.NoError(t, json.Unmarshal(text, &fields))
	require.ElementsMatch(t, []string{"id", "organizationId", "title", "description", "status", "proposals", "createdAt", "updatedAt"},
		slices.Collect(maps.Keys(fields)), "what is unknown is omitted")
	proposal, _ := fields["proposals"].([]any)[0].(map[string]any)
	require.ElementsMatch(t, []string{"id", "asset", "content", "proposedStatus"}, slices.Collect(maps.Keys(proposal)))
}
