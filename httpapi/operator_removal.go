package httpapi

import (
	"context"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/request"
)

type prunedResponse struct {
	Removed    int     `json:"removed"`
	NextCursor *string `json:"nextCursor"`
}

// removalOperations returns the operations that remove what many operations have stored. They store no
// idempotency keys: they have no effect the second time.
func (o operator) removalOperations() []operation {
	return []operation{
		costlyAdmin("/person/erase", answerJSON(request.Call.ErasePerson, o.erase, sameErased)),
		costlyAdmin("/prune", answerJSON(request.Call.Prune, o.prune, newPrunedResponse)),
	}
}

func (o operator) erase(ctx context.Context, person request.Person) (apguard.Erased, error) {
	return o.guard.Erase(ctx, apguard.Subject(person))
}

func (o operator) prune(ctx context.Context, pruning request.Pruning) (apguard.Pruned, error) {
	return o.guard.Prune(ctx, apguard.PruneRequest{
		Records: apguard.Prunable(pruning.Records),
		Before:  pruning.Before,
		After:   asset.ChangeCursor(pruning.After),
	})
}

func sameErased(erased apguard.Erased) apguard.Erased { return erased }

func newPrunedResponse(pruned apguard.Pruned) prunedResponse {
	response := prunedResponse{Removed: pruned.Removed}
	if pruned.More {
		response.NextCursor = known(request.TimeCursor(pruned.Next).String())
	}
	return response
}
