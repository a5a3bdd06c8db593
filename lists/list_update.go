package lists

import (
	"context"
	"strings"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/step"
)

// UpdateRequest is the request of [Service.Update]. What is nil stays.
type UpdateRequest struct {
	// Name is the name of the list. It cannot be changed.
	Name   string
	Format *Format
	Status *asset.Status
	// Reason must fit the status that the list then has, even if only that changes.
	Reason *asset.Reason
	// URL ends the fetching if it is empty, and Every with it.
	URL   *string
	Every *time.Duration
}

// Update changes what describes a list, and returns the list. What the list holds changes only with its next sync. After a
// change of the status or the URL, that sync may have to be confirmed, as it can withdraw and add many entries.
//
// A change of anything but Every ends a running sync with [ErrSuperseded], and a list with a URL is then fetched at once,
// even if its file has not changed. Another Every counts from the last sync or failure. A request that changes nothing
// has no effect.
//
// The error is [ErrNotFound] if there is no list with the name, or it is being removed. It is an [*asset.InputError], as
// that of [Service.Add], if the list would be invalid. A URL that stays is not checked again.
func (s *Service) Update(ctx context.Context, req UpdateRequest) (List, error) {
	at := step.TruncateTime(s.clock())
	return s.change(ctx, req.Name, func(old List) (List, audit.Entry, error) {
		list := req.apply(old)
		if err := list.Validate(s.allowPrivate || list.URL == old.URL); err != nil {
			return List{}, audit.Entry{}, err
		}
		list.Every = list.Every.Truncate(time.Second)
		list = list.updated(old, at)
		entry := audit.New(ctx, at, audit.KindList, audit.ActionChanged)
		entry.Detail = "name=" + list.Name + ",changed=" + strings.Join(list.changed(old), "+")
		return list, audit.Stored(entry, old, list), nil
	})
}

// apply returns the list with what the request changes.
func (req UpdateRequest) apply(list List) List {
	if req.URL != nil && *req.URL == "" {
		list.Every = 0
	}
	replace(&list.Format, req.Format)
	replace(&list.Status, req.Status)
	replace(&list.Reason, req.Reason)
	replace(&list.URL, req.URL)
	replace(&list.Every, req.Every)
	return list.withDefaults()
}

func replace[T any](value, by *T) {
	if by != nil {
		*value = *by
	}
}

// updated returns the list, whose description was that of old.
func (l List) updated(old List, at time.Time) List {
	if l.URL != old.URL {
		l = l.recovered()
	}
	rest := old
	rest.Every = l.Every
	if len(l.changed(rest)) == 0 {
		return l.rescheduled(old)
	}
	l.Begun++
	l.ETag, l.LastModified, l.NextAt = "", "", time.Time{}
	return l.next(at)
}

// changed returns the names of what is described in another way than in old.
func (l List) changed(old List) []string {
	var names []string
	for _, c := range [...]struct {
		name string
		is   bool
	}{
		{"format", l.Format != old.Format},
		{"status", l.Status != old.Status},
		{"reason", l.Reason != old.Reason},
		{"url", l.URL != old.URL},
		{"every", l.Every != old.Every},
	} {
		if c.is {
			names = append(names, c.name)
		}
	}
	return names
}
