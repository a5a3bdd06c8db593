package dispute

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/idempotency"
)

// fields returns the fields of the request for a fingerprint.
func (req CreateRequest) fields() []string {
	return []string{req.Content, req.Email, req.AccountEmail, req.Description, strconv.FormatBool(req.ViaAPI)}
}

// answer is what a record keeps of a new dispute. The request has the rest of it.
type answer struct {
	ID        int64     `json:"id"`
	AssetID   int64     `json:"assetId"`
	Notes     []Note    `json:"notes"`
	CreatedAt time.Time `json:"createdAt"`
}

// Record returns the record that the store keeps with the new dispute if cmd.Claim is not
// zero.
func (cmd CreateCommand) Record(created Dispute) idempotency.Record {
	text, _ := json.Marshal(answer{created.ID, created.AssetID, created.Notes, created.CreatedAt}) // fails for invalid times only
	return cmd.Claim.Record(text)
}

// replay returns the dispute that the first request created, as it was then.
func (cmd CreateCommand) replay(recorded []byte) (Dispute, error) {
	var a answer
	if err := json.Unmarshal(recorded, &a); err != nil {
		return Dispute{}, fmt.Errorf("%w: %w", idempotency.ErrMalformedRecord, err)
	}
	cmd.Notes, cmd.At = a.Notes, a.CreatedAt
	return cmd.Apply(a.ID, asset.Asset{ID: a.AssetID}), nil
}
