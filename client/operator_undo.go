package client

import (
	"context"
)

// UndoRequest undoes acts of operators.
type UndoRequest struct {
	// Items are 1 to [asset.MaxItems] items.
	Items []UndoItem `json:"items"`
	// Reference names the record behind the changes. It may be empty.
	Reference string `json:"reference,omitzero"`
	// ConfirmProtected confirms that protected assets among the items are BLOCKED again.
	ConfirmProtected bool `json:"confirmProtected,omitzero"`
	// DryRun asks for the results without storing anything.
	DryRun bool `json:"dryRun,omitzero"`
}

// UndoItem is an act on an asset that is undone, with the two decisions of its result.
type UndoItem struct {
	// Content is the asset, in any spelling.
	Content string `json:"content"`
	// Decision is what the act made the operators hold, and Previous what they held before. Each is nil for nothing.
	Decision *Decision `json:"decision"`
	Previous *Decision `json:"previous"`
}

// Undo undoes acts in one step, where the operators still hold exactly the decision of the item, and returns the results
// of the items, in their order. If they have decided otherwise since, the error of the result matches
// [asset.ErrChanged]. The result of an undone act can be undone in the same way. A request that is repeated changes
// nothing.
func (o *Operator) Undo(ctx context.Context, req UndoRequest) ([]StatusResult, error) {
	contents := mapped(req.Items, func(item UndoItem) string { return item.Content })
	return o.setStatuses(ctx, "/asset/undo", req, contents, req.DryRun)
}
