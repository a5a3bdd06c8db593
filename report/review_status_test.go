package report_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/report"
)

func TestReviewStatus_Valid(t *testing.T) {
	t.Parallel()
	require.Equal(t, []report.ReviewStatus{"APPROVE", "REJECT", "SKIP", "ESCALATE"}, report.ReviewStatuses())
	report.ReviewStatuses()[0] = "X"
	require.True(t, report.ReviewApprove.Valid(), "the caller owns the list")
	require.False(t, report.ReviewStatus("").Valid())
}
