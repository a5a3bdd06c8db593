package dispute_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

func TestFilter_Match(t *testing.T) {
	t.Parallel()
	d := dispute.Dispute{State: dispute.StateUnderReview, CreatedAt: noon}
	for reason, c := range map[string]struct {
		filter dispute.Filter
		want   bool
	}{
		"the zero filter":           {dispute.Filter{}, true},
		"the state":                 {dispute.Filter{States: []dispute.State{dispute.StateUnderReview}}, true},
		"the state among others":    {dispute.Filter{States: dispute.States()}, true},
		"another state":             {dispute.Filter{States: []dispute.State{dispute.StateOpen}}, false},
		"the asset":                 {dispute.Filter{Identity: url("https://a.example")}, true},
		"another asset":             {dispute.Filter{Identity: url("https://b.example")}, false},
		"another type":              {dispute.Filter{Identity: asset.Identity{Type: asset.TypePage, Canonical: "https://a.example"}}, false},
		"the e-mail in other case":  {dispute.Filter{Email: " ADA@a.example "}, true},
		"a blank e-mail":            {dispute.Filter{Email: " "}, true},
		"another e-mail":            {dispute.Filter{Email: "bob@a.example"}, false},
		"the time of creation":      {dispute.Filter{Created: asset.Period{Since: noon, Before: noon.Add(1)}}, true},
		"a period before":           {dispute.Filter{Created: asset.Period{Before: noon}}, false},
		"a period after":            {dispute.Filter{Created: asset.Period{Since: noon.Add(1)}}, false},
		"everything except a state": {dispute.Filter{States: []dispute.State{dispute.StateOpen}, Identity: url("https://a.example"), Email: "ada@a.example"}, false},
	} {
		require.Equal(t, c.want, c.filter.Match(d, url("https://a.example"), "ada@a.example"), reason)
	}
}
