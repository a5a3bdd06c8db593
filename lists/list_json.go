package lists

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/apguard/apguard/asset"
)

// MarshalJSON implements [json.Marshaler]: the list as operators see it. What is not set is null, and times are
// in RFC 3339, in UTC with milliseconds.
func (l List) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Name      string        `json:"name"`
		Format    Format        `json:"format"`
		Status    asset.Status  `json:"status"`
		Reason    *asset.Reason `json:"reason"`
		Entries   int64         `json:"entries"`
		CreatedAt *string       `json:"createdAt"`
		SyncedAt  *string       `json:"syncedAt"`
		FailedAt  *string       `json:"failedAt"`
		Error     *string       `json:"error"`
		Failures  int           `json:"failures"`
		URL       *string       `json:"url"`
		Every     *string       `json:"every"`
		NextAt    *string       `json:"nextAt"`
		Removing  bool          `json:"removing"`
	}{
		l.Name, l.Format, l.Status, orNull(l.Reason), l.Entries, timeOrNull(l.CreatedAt), timeOrNull(l.SyncedAt), timeOrNull(l.FailedAt),
		orNull(l.Error), l.Failures, orNull(l.URL), orNull(every(l.Every)), timeOrNull(l.NextAt),
		l.Removing,
	})
}

func orNull[T ~string](text T) *T {
	if text == "" {
		return nil
	}
	return &text
}

func timeOrNull(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return orNull(t.UTC().Format("2006-01-02T15:04:05.000Z07:00"))
}

// every returns a duration as the command line takes it, such as 1h or 90m, and nothing for 0.
func every(d time.Duration) string {
	if d == 0 {
		return ""
	}
	text := d.String()
	if d%time.Minute == 0 {
		text = strings.TrimSuffix(text, "0s")
	}
	if d%time.Hour == 0 {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
