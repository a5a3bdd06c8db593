package report_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

func TestSearchTerm(t *testing.T) {
	t.Parallel()
	require.Empty(t, report.SearchTerm(" \t\u2003"), "a blank query")
	require.Equal(t, asset.FoldCase(" two  Words "), report.SearchTerm(" TWO  words "), "white space counts")
}
