package lists

import (
	"crypto/sha1" //nolint:gosec // UUIDs of version 5 are made with it
	"encoding/hex"
	"fmt"
	"hash"
	"strings"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/wire"
)

// writeSTIX writes a bundle of STIX 2.1, with an indicator on each line. A bundle must not have an empty
// list. Its ID depends on the indicators, and so it stands behind them.
func (l *writer) writeSTIX(source Source) error {
	if _, err := l.out.WriteString(`{"type":"bundle"`); err != nil {
		return err
	}
	id := newUUID()
	separator, end := ",\"objects\":[\n", ""
	err := l.each(source, l.opts.Statuses, func(line []byte, one asset.Listed) ([]byte, string) {
		kind, values, reason := observableOf(one.Identity)
		for _, value := range values {
			line = appendIndicator(append(line, separator...), one, patternOf(kind, value))
			separator, end = ",\n", "\n]"
		}
		_, _ = id.Write(line) // a hash returns no errors
		return line, reason
	})
	if err != nil {
		return err
	}
	_, err = l.out.WriteString(end + `,"id":"bundle--` + sumUUID(id) + "\"}\n")
	return err
}

// observableOf returns the type of the objects that show an asset, and their values, of which each is
// enough. If there is none, it returns the reason.
//
// STIX has no type for blockchain addresses. OpenCTI has cryptocurrency-wallet, and others use it too.
func observableOf(one asset.Identity) (kind string, values []string, reason string) {
	host, port, rest := classify.SplitHost(one)
	switch {
	case one.Type == asset.TypeAddress:
		return "cryptocurrency-wallet", []string{one.Canonical}, ""
	case one.Type == asset.TypeEmail:
		return "email-addr", []string{one.Canonical}, ""
	case one.Type == asset.TypeURL:
		if rest == "" {
			return "url", []string{one.Canonical + "/"}, ""
		}
		return "url", []string{one.Canonical}, ""
	case one.Type == asset.TypePage && (port != "" || rest != ""):
		return "url", linksOf(host, port, rest), ""
	}
	host, hosts, reason := hostOf(one)
	switch {
	case reason == noHost:
		return "url", []string{"https://" + one.Canonical}, ""
	case reason != "":
		return "", nil, reason
	case hosts == ipv4:
		return "ipv4-addr", []string{host}, ""
	case hosts == ipv6:
		return "ipv6-addr", []string{strings.Trim(host, "[]")}, ""
	}
	return "domain-name", []string{host}, ""
}

// linksOf returns the links of a PAGE.
func linksOf(host, port, rest string) []string {
	if rest == "" {
		rest = "/"
	}
	if port == "" {
		return []string{"https://" + host + rest, "http://" + host + rest}
	}
	secure := "https://" + host + ":" + port + rest
	if port == "80" {
		return []string{secure, "http://" + host + rest}
	}
	return []string{secure, "http://" + host + ":" + port + rest}
}

// patternOf returns a pattern of one comparison. Many readers understand no other.
func patternOf(kind, value string) string {
	value = strings.ReplaceAll(strings.ReplaceAll(value, `\`, `\\`), `'`, `\'`)
	return "[" + kind + ":value = '" + value + "']"
}

// appendIndicator appends the indicator of an asset with a pattern. Its ID is made from these and the time
// of creation, in the canonical form of RFC 8785: two assets can have the same link. Versions of an
// indicator must have the same time of creation, so another decision about the asset makes another one.
func appendIndicator(line []byte, one asset.Listed, pattern string) []byte {
	created, modified := one.Since, one.UpdatedAt
	if created.IsZero() {
		created = modified
	}
	if created.IsZero() {
		created = time.Unix(0, 0)
	}
	if modified.Before(created) {
		modified = created
	}
	decided := wire.AppendTime(nil, created)
	name, shown := wire.AppendText(nil, one.Canonical), wire.AppendText(nil, pattern)
	id := newUUID()
	_, _ = fmt.Fprintf(id, `{"created":"%s","name":%s,"pattern":%s}`, decided, name, shown)

	line = append(append(line, `{"type":"indicator","spec_version":"2.1","id":"indicator--`...), sumUUID(id)...)
	line = append(append(line, `","created":"`...), decided...)
	line = wire.AppendTime(append(line, `","modified":"`...), modified)
	line = append(append(line, `","name":`...), name...)
	if one.Note != "" {
		line = wire.AppendText(append(line, `,"description":`...), one.Note)
	}
	line = append(line, `,"indicator_types":["malicious-activity"]`...)
	if one.Reason != "" {
		line = append(append(line, `,"labels":["`...), strings.ReplaceAll(strings.ToLower(string(one.Reason)), "_", "-")...)
		line = append(line, `"]`...)
	}
	line = append(append(line, `,"pattern":`...), shown...)
	line = append(append(line, `,"pattern_type":"stix","valid_from":"`...), decided...)
	return append(line, `"}`...)
}

// newUUID returns the hash of a UUID in the namespace of this format. STIX reserves its own namespace
// for other objects than indicators and bundles.
func newUUID() hash.Hash {
	h := sha1.New() //nolint:gosec // RFC 9562, section 5.5
	_, _ = h.Write([]byte("\xad\x2b\x59\x3e\x0c\x61\x4f\x87\x9e\x54\x71\xd0\x3a\x86\xfb\x1c"))
	return h
}

// sumUUID returns the UUID of version 5 of what was written.
func sumUUID(h hash.Hash) string {
	sum := h.Sum(nil)[:16]
	sum[6] = sum[6]&0x0f | 0x50
	sum[8] = sum[8]&0x3f | 0x80
	text := hex.EncodeToString(sum)
	return text[:8] + "-" + text[8:12] + "-" + text[12:16] + "-" + text[16:20] + "-" + text[20:]
}
