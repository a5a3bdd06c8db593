package lists

import (
	"fmt"
	"math"

	"github.com/apguard/apguard/asset"
)

// writeWarninglist writes a warninglist of MISP. Its schema permits no other members, so the
// description says what was left out.
func (l *writer) writeWarninglist(source Source) error {
	allowed, err := l.whitelist(source)
	if err != nil {
		return err
	}
	version := min(l.opts.Serial, math.MaxInt32) // MISP stores it in 31 bits
	_, err = fmt.Fprintf(l.out, `{
  "name": "Hosts that apguard allows",
  "version": %d,
  "type": "hostname",
  "matching_attributes": ["domain", "domain|ip", "hostname", "hostname|port", "url"],
  "list": [`, version)
	if err != nil {
		return err
	}
	err = l.writeHostArray(source, asset.StatusAllowed, func(line []byte, one asset.Listed) ([]byte, string) {
		host, kind, reason := allowed.find(one.Identity)
		if reason == "" && kind != domain {
			reason = isIP
		}
		return append(line, host...), reason
	})
	if err != nil {
		return err
	}
	line := []byte("],\n  \"description\": \"ALLOWED hosts, with everything on and below them.")
	separator, end := " Left out: ", ""
	for _, left := range l.summary().LeftOut {
		line = fmt.Appendf(line, "%s%d (%s)", separator, left.Count, left.Reason)
		separator, end = ", ", "."
	}
	_, err = l.out.Write(append(append(line, end...), "\"\n}\n"...))
	return err
}
