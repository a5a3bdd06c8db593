package lists

import (
	"context"
	"slices"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// compareForms reports the changed entries whose link has another form with the opposite status.
func (i *importer) compareForms(ctx context.Context) error {
	var (
		forms   []asset.StatusItem
		entries []Entry // of each form
	)
	for _, entry := range i.changed {
		for _, form := range otherForms(entry.Identity) {
			// A dry run with any status tells the present one.
			forms = append(forms, asset.StatusItem{Identity: form, Status: asset.StatusUnknown})
			entries = append(entries, entry)
		}
	}
	i.changed = i.changed[:0]
	for items := range slices.Chunk(forms, asset.MaxItems) {
		results, err := i.setter.SetStatuses(ctx, asset.SetStatusesRequest{Items: items, Origin: i.opts.Origin, DryRun: true})
		if err != nil {
			return err
		}
		for at, result := range results {
			if result.Err == nil && result.From != asset.StatusUnknown && result.From != entries[at].Status {
				result.Asset.Status = result.From
				i.opts.Opposed(entries[at], result.Asset)
			}
		}
		entries = entries[len(items):]
	}
	return nil
}

// otherForms returns the other assets that are the same link, with another scheme, as a page, or
// without a slash at its end.
func otherForms(identity asset.Identity) []asset.Identity {
	var forms []asset.Identity
	for _, cover := range classify.Covering(identity)[1:] {
		if cover.Step > 0 {
			break
		}
		forms = append(forms, cover.Identity)
	}
	return forms
}
