package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A server says at its start which protections are off.
func TestServe_Brakes(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		flags []string
		want  []string
	}{
		"the defaults":    {nil, []string{"-refuse-blocked is off"}},
		"all brakes":      {[]string{"-refuse-blocked"}, nil},
		"no brake at all": {[]string{"-rate", "0", "-private-webhooks"}, []string{"-refuse-blocked is off", "-rate is 0", "-private-webhooks is on"}},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			s := start(t, append([]string{"-db", "memory"}, c.flags...)...)
			require.NoError(t, s.stop())
			logged := s.logged()
			require.Equal(t, len(c.want), strings.Count(logged, "level=WARN"), logged)
			for _, warning := range c.want {
				require.Contains(t, logged, `level=WARN msg="`+warning+`" meaning=`)
			}
		})
	}
}
