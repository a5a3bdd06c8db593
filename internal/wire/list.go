package wire

import (
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
)

// List is a list in the JSON of the operators' API and of the command line. What is not set is null.
type List struct {
	Name      string        `json:"name"`
	Format    lists.Format  `json:"format"`
	Status    asset.Status  `json:"status"`
	Reason    *asset.Reason `json:"reason"`
	Entries   int64         `json:"entries"`
	CreatedAt string        `json:"createdAt"`
	SyncedAt  *string       `json:"syncedAt"`
	FailedAt  *string       `json:"failedAt"`
	Error     *string       `json:"error"`
}

// NewList returns the JSON of a list.
func NewList(l lists.List) List {
	return List{
		Name:      l.Name,
		Format:    l.Format,
		Status:    l.Status,
		Reason:    known(l.Reason),
		Entries:   l.Entries,
		CreatedAt: string(AppendTime(nil, l.CreatedAt)),
		SyncedAt:  knownTime(l.SyncedAt),
		FailedAt:  knownTime(l.FailedAt),
		Error:     known(l.Error),
	}
}

func known[T ~string](text T) *T {
	if text == "" {
		return nil
	}
	return &text
}

func knownTime(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return known(string(AppendTime(nil, t)))
}
