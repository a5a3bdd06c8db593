package httpapi_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/report"
)

// Elements after the limit are not decoded.
func TestFields_ListLimit(t *testing.T) {
	t.Parallel()
	s := start(t)
	for name, right := range map[string]string{"brandIds": "3", "reviewStatuses": "APPROVE"} {
		most := strings.Repeat(right+",", report.MaxValues-1) + right
		tooMany := []string{name + ": must hold at most 1000 elements"}
		for reason, c := range map[string]struct {
			list   string
			issues []string
		}{
			"as long as it may be": {most, nil},
			"one too many":         {most + "," + right, tooMany},
			"one too many, wrong":  {most + ",x", tooMany},
			"far too many":         {strings.Repeat(most+",", 5) + "x", tooMany},
		} {
			array := strings.ReplaceAll(c.list, ",x", `,"x"`)
			if name == "reviewStatuses" {
				array = `"` + strings.ReplaceAll(c.list, ",", `","`) + `"`
			}
			for way, got := range map[string]response{
				"a body":             s.post(oldReports, acmeKey, `{"slug":"acme","limit":20,"`+name+`":[`+array+`]}`),
				"one parameter":      s.get(newReports+"?"+name+"="+c.list, acmeKey),
				"several parameters": s.get(newReports+"?"+name+"="+strings.Replace(c.list, ",", "&"+name+"=", 9), acmeKey),
			} {
				t.Run(name+" "+reason+" in "+way, func(t *testing.T) {
					if c.issues == nil {
						require.Equal(t, page("null", report1), got.Body)
					} else {
						requireInvalid(t, got, c.issues...)
					}
				})
			}
		}
	}
}
