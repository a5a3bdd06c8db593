package httpapi_test

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/storage"
)

func TestDocuments_RulesVersion(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"openapi.json", "operator.json"} {
		file, err := os.ReadFile(name)
		require.NoError(t, err)
		var document struct {
			Info struct {
				Rules int `json:"x-rules-version"`
			} `json:"info"`
		}
		require.NoError(t, json.Unmarshal(file, &document))
		require.Equal(t, classify.Version, document.Info.Rules, name)
	}
}

// A response with canonical forms or hashes names their rules, and an error does not.
func TestAPI_RulesVersion(t *testing.T) {
	t.Parallel()
	present, version := startHashes(t), strconv.Itoa(classify.Version)
	failing := startWith(t, setup{wrap: func(store storage.Store) storage.Store { return unlistable{store} }})
	for reason, c := range map[string]struct {
		server       testServer
		path         string
		status       int
		rulesVersion string
	}{
		"a page of the feed":          {present, feedPath, http.StatusOK, version},
		"the end of the feed":         {present, feedQuery("end", ""), http.StatusOK, version},
		"an export for mirrors":       {present, exportOf("jsonl?status=any"), http.StatusOK, version},
		"an export in another format": {present, exportPath, http.StatusOK, version},
		"hash lists":                  {present, hashesPath, http.StatusOK, version},
		"a malformed cursor":          {present, feedQuery("x", ""), http.StatusBadRequest, ""},
		"an export that fails":        {failing, exportOf("jsonl"), http.StatusInternalServerError, ""},
	} {
		got := c.server.get(c.path, acmeKey)
		require.Equal(t, c.status, got.Status, reason)
		require.Equal(t, c.rulesVersion, got.Header.Get("Rules-Version"), reason)
	}
}

// unlistable is a store that cannot list assets.
type unlistable struct{ storage.Store }

func (unlistable) Assets(context.Context, asset.ListRequest) (step.Page[asset.Listed], error) {
	return step.Page[asset.Listed]{}, errDisk
}
