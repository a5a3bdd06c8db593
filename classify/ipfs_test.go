package classify_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// The first two are of public documents, and the others have their forms.
const (
	cidV0    = "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG"
	cidV1    = "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi"
	cidUpper = "BAFYBEIGDYRZT5SFP7UDM7HU76UH7Y26NF3EFUYLQABF3OCLGTQY55FBZDI"
	cidBtc   = "zdj7WhuEjrB52m1BisYCtmjH1hSKa7yZ3jEZ9JcXaFRD51wVz"
	cidHex   = "F01701220C3C4733EC8AFFD06CF9E9FF50FFC6BCD2EC85A6170004BB709669C31DE94391A"
)

func TestIsContentID(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		text string
		want bool
	}{
		"CIDv0":                                 {cidV0, true},
		"CIDv1 in base32":                       {cidV1, true},
		"CIDv1 in upper-case base32":            {cidUpper, true},
		"CIDv1 in base58":                       {cidBtc, true},
		"CIDv1 in hexadecimal digits":           {cidHex, true},
		"nothing":                               {"", false},
		"a prefix alone":                        {"Qm", false},
		"CIDv0 without its last character":      {cidV0[:45], false},
		"CIDv0 with a character before it":      {"x" + cidV0, false},
		"CIDv0 with a digit base58 lacks":       {cidV0[:45] + "0", false},
		"CIDv1 without its last character":      {cidV1[:58], false},
		"CIDv1 with a digit base32 lacks":       {cidV1[:58] + "1", false},
		"upper-case base32 with a small letter": {cidUpper[:58] + "a", false},
		"lower-case hexadecimal digits":         {strings.ToLower(cidHex), false},
		"a host with a CID":                     {cidV1 + ".ipfs.dweb.link", false},
		"a path with a CID":                     {"/ipfs/" + cidV0, false},
		"white space behind a CID":              {cidV0 + " ", false},
		"a domain":                              {"example.com", false},
	} {
		assert.Equal(t, c.want, classify.IsContentID(c.text), reason)
	}
}

func TestContentIDs(t *testing.T) {
	t.Parallel()
	other := "Qm" + strings.Repeat("a", 44)
	for reason, c := range map[string]struct {
		content string
		want    []string
	}{
		"the path of a gateway":             {"https://ipfs.io/ipfs/" + cidV0, []string{cidV0}},
		"a file below it":                   {"https://ipfs.io/ipfs/" + cidV0 + "/index.html", []string{cidV0}},
		"a path without a scheme":           {"ipfs.io/ipfs/" + cidV1, []string{cidV1}},
		"a path of http with a port":        {"http://localhost:8080/ipfs/" + cidV1 + "?x", []string{cidV1}},
		"a label of the host":               {"https://" + cidV1 + ".ipfs.dweb.link/x", []string{cidV1}},
		"a label in upper case":             {"https://" + cidUpper + ".ipfs.dweb.link", []string{cidV1}},
		"a label without a scheme":          {cidV1 + ".ipfs.dweb.link", []string{cidV1}},
		"a path in upper case":              {"https://ipfs.io/ipfs/" + cidUpper, []string{cidUpper}},
		"the other forms":                   {"https://ipfs.io/" + cidBtc + "/" + cidHex, []string{cidBtc, cidHex}},
		"the query":                         {"https://ipfs.io/get?cid=" + cidV0 + "&x", []string{cidV0}},
		"a route":                           {"https://app.example.com/#/ipfs/" + cidV0, []string{cidV0}},
		"escaped slashes":                   {"https://example.com/?u=%2Fipfs%2F" + cidV0 + "%2F", []string{cidV0}},
		"a name with hyphens around it":     {"https://example.com/a-" + cidV0 + "-b", []string{cidV0}},
		"the same twice":                    {"https://" + cidV1 + ".dweb.link/" + cidV1, []string{cidV1}},
		"more than four":                    {"https://ipfs.io/" + strings.Join([]string{cidV0, cidV1, cidUpper, cidBtc, other}, "/"), []string{cidV0, cidV1, cidUpper, cidBtc}},
		"a longer word that ends in it":     {"https://ipfs.io/ipfs/x" + cidV0, nil},
		"a longer word that begins with it": {"https://ipfs.io/ipfs/" + cidV0 + "0", nil},
		"a longer label":                    {"https://x" + cidV1 + ".ipfs.dweb.link", nil},
		"CIDv0 in a host":                   {"https://" + cidV0 + ".ipfs.dweb.link", nil},
		"an incomplete escape behind it":    {"https://example.com/" + cidV0 + "%", []string{cidV0}},
		"a link without a CID":              {"https://ipfs.io/ipfs/about", nil},
		"an e-mail address":                 {"bob@" + cidV1 + ".ipfs.dweb.link", nil},
		"a handle":                          {"@jack", nil},
	} {
		result, err := classify.Classify(c.content)
		require.NoError(t, err, reason)
		assert.Equal(t, c.want, classify.ContentIDs(result.Identity), reason)
	}
	require.Nil(t, classify.ContentIDs(asset.Identity{}), "the zero identity")
	require.Nil(t, classify.ContentIDs(asset.Identity{Type: asset.TypeAddress, Canonical: cidV0}), "another type")
}

func TestContentIDs_allAreWordsOfTheLink(t *testing.T) {
	t.Parallel()
	part := rapid.OneOf(rapid.SampledFrom([]string{cidV0, cidV1, cidUpper, cidBtc, cidHex, "/", ".", "%", "%2F", "?", "a", "0"}), rapid.String())
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(part, 0, 12).Draw(t, "parts"), "")
		ids := classify.ContentIDs(asset.Identity{Type: asset.TypeURL, Canonical: text})
		require.LessOrEqual(t, len(ids), 4)
		for _, id := range ids {
			require.True(t, classify.IsContentID(id))
			require.Contains(t, text, id)
		}
	})
}
