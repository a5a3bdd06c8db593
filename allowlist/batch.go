package allowlist

import (
	"fmt"
	"strings"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// batch is a request sorted into what goes to the store and what does not.
type batch struct {
	// candidates are the recognized assets, each identity once.
	candidates []Candidate
	// places says for each item where its asset stands in candidates and whether
	// it is the first item with that asset; for a refused item, why.
	places []place
}

type place struct {
	candidate int
	repeated  bool
	refused   error
}

// sortOut recognizes each item's asset. Items with equal assets share the
// candidate that the first of them makes.
func sortOut(items []Item) batch {
	b := batch{places: make([]place, len(items))}
	known := make(map[asset.Identity]int, len(items))
	for i, item := range items {
		identity, err := item.identify()
		if err != nil {
			b.places[i].refused = err
			continue
		}
		at, repeated := known[identity]
		if !repeated {
			at = len(b.candidates)
			known[identity] = at
			b.candidates = append(b.candidates, item.candidate(identity))
		}
		b.places[i] = place{candidate: at, repeated: repeated}
	}
	return b
}

// identify finds the identity of the item's asset. Its error is the item's own
// refusal; the content is judged before the group.
func (item Item) identify() (asset.Identity, error) {
	if strings.TrimSpace(item.Content) == "" {
		return asset.Identity{}, ErrContentRequired
	}
	result, err := classify.Classify(item.Content)
	if err != nil {
		return asset.Identity{}, fmt.Errorf("%w: %w", ErrInvalidFormat, err)
	}
	if item.GroupID != nil && !asset.ValidID(*item.GroupID) {
		return asset.Identity{}, ErrInvalidGroupID
	}
	return result.Identity, nil
}

func (item Item) candidate(identity asset.Identity) Candidate {
	c := Candidate{
		Identity:    identity,
		Content:     strings.TrimSpace(item.Content),
		Name:        item.Name,
		Description: item.Description,
	}
	if item.GroupID != nil {
		c.GroupID = *item.GroupID
	}
	return c
}

// groupIDs returns the groups that the items name, in their order and each once.
// What cannot be a group is left out; it is refused item by item.
func groupIDs(items []Item) []int64 {
	var ids []int64
	seen := make(map[int64]bool)
	for _, item := range items {
		if item.GroupID == nil || !asset.ValidID(*item.GroupID) || seen[*item.GroupID] {
			continue
		}
		seen[*item.GroupID] = true
		ids = append(ids, *item.GroupID)
	}
	return ids
}

// results puts the outcomes of the candidates back to the items.
func (b batch) results(items []Item, outcomes []Outcome) []Result {
	results := make([]Result, len(items))
	for i, p := range b.places {
		results[i] = Result{Content: items[i].Content, Err: p.refused}
		if p.refused != nil {
			continue
		}
		outcome := outcomes[p.candidate]
		switch {
		case outcome.Err != nil:
			results[i].Err = outcome.Err
		case p.repeated:
			results[i].Err = ErrExists
		default:
			results[i].AssetID = outcome.AssetID
		}
	}
	return results
}
