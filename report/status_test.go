package report_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/report"
)

func TestStatusOf(t *testing.T) {
	t.Parallel()
	const none = report.ReviewStatus("")
	for reason, c := range map[string]struct {
		reviews []report.ReviewStatus
		want    report.Status
	}{
		"a report without proposals is to do":       {nil, report.StatusTodo},
		"nobody has looked":                         {[]report.ReviewStatus{none, none}, report.StatusTodo},
		"skipping and escalating decide nothing":    {[]report.ReviewStatus{report.ReviewSkip, report.ReviewEscalate}, report.StatusTodo},
		"some are decided":                          {[]report.ReviewStatus{report.ReviewApprove, none}, report.StatusInProgress},
		"a rejection decides too":                   {[]report.ReviewStatus{report.ReviewSkip, report.ReviewReject}, report.StatusInProgress},
		"all are decided, one way or the other":     {[]report.ReviewStatus{report.ReviewApprove, report.ReviewReject}, report.StatusClosed},
		"a single proposal goes from open to close": {[]report.ReviewStatus{report.ReviewReject}, report.StatusClosed},
	} {
		proposals := make([]report.Proposal, len(c.reviews))
		for i, review := range c.reviews {
			proposals[i].ReviewStatus = review
		}
		require.Equal(t, c.want, report.StatusOf(proposals), reason)
	}
}

func TestStatus_Valid(t *testing.T) {
	t.Parallel()
	require.Equal(t, []report.Status{"TODO", "IN_PROGRESS", "CLOSED"}, report.Statuses())
	report.Statuses()[0] = "X"
	require.True(t, report.StatusTodo.Valid(), "the caller owns the list")
	require.False(t, report.Status("todo").Valid())
}
