package httpapi

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/apguard/apguard/httpapi/limit"
)

// limitAnswer returns the response to a request that a limit refuses.
func limitAnswer(refusal *limit.Error) apiError {
	status := http.StatusTooManyRequests
	if refusal.Status == http.StatusServiceUnavailable {
		status = refusal.Status
	}
	return apiError{status: status, limit: refusal, retryAfter: max(refusal.RetryAfter, time.Second)}
}

// setRateHeaders sets the headers of draft-ietf-httpapi-ratelimit-headers-10.
func setRateHeaders(header http.Header, refusal *limit.Error) {
	if refusal.Quota <= 0 {
		return
	}
	policy := quotedItem(cmp.Or(refusal.Policy, "default"))
	if refusal.Window > 0 {
		header.Set("RateLimit-Policy", fmt.Sprintf("%s;q=%d;w=%d", policy, refusal.Quota, wholeSeconds(refusal.Window)))
	} else {
		header.Set("RateLimit-Policy", fmt.Sprintf(`%s;q=%d;qu="concurrent-requests"`, policy, refusal.Quota))
	}
	header.Set("RateLimit", fmt.Sprintf("%s;r=0;t=%d", policy, wholeSeconds(max(refusal.RetryAfter, time.Second))))
}

// quotedItem returns text as a String of RFC 9651, without the characters that it cannot
// have.
func quotedItem(text string) string {
	printable := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, text)
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(printable) + `"`
}
