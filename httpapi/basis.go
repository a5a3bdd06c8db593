package httpapi

import "github.com/apguard/apguard/asset"

// basisResponse says what gives an asset its status. What there is not is null.
type basisResponse struct {
	Reason *string `json:"reason"`
	Note   *string `json:"note"`
	Since  *string `json:"since"`
	By     *string `json:"by"`
	List   *string `json:"list"`
}

func newBasisResponse(basis asset.Basis) basisResponse {
	return basisResponse{
		Reason: known(string(basis.Reason)),
		Note:   known(basis.Note),
		Since:  knownTime(basis.Since),
		By:     known(string(basis.By)),
		List:   known(basis.List),
	}
}
