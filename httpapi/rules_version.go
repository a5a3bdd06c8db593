package httpapi

import (
	"net/http"
	"strconv"

	"github.com/apguard/apguard/classify"
)

// rulesVersionHeader is the header with the version of the rules by which canonical forms and hashes were made. A
// client with other rules refuses them.
const rulesVersionHeader = "Rules-Version"

func setRulesVersion(header http.Header) {
	header.Set(rulesVersionHeader, strconv.Itoa(classify.Version))
}
