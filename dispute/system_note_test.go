package dispute_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

const (
	viaAPI     = "This dispute was created through the API."
	onlyInList = "This asset is not blocked here. It is blocked in the external list Phish List."
)

func TestService_Create_SystemNotes(t *testing.T) {
	t.Parallel()
	api := dispute.Note{Kind: dispute.NoteKindAPI, Text: viaAPI, CreatedAt: noon}
	listed := dispute.Note{Kind: dispute.NoteKindExternalList, Text: onlyInList, CreatedAt: noon}
	for reason, c := range map[string]struct {
		status  asset.Status
		viaAPI  bool
		content string
		want    []dispute.Note
		message string
	}{
		"through Go":                     {asset.StatusUnknown, false, "https://good.example", []dispute.Note{}, ""},
		"through the API":                {asset.StatusUnknown, true, "https://good.example", []dispute.Note{api}, ""},
		"listed and UNKNOWN":             {asset.StatusUnknown, true, "https://bad.example", []dispute.Note{api, listed}, onlyInList},
		"listed and ALLOWED":             {asset.StatusAllowed, true, "https://bad.example", []dispute.Note{api, listed}, onlyInList},
		"listed and BLOCKED":             {asset.StatusBlocked, true, "https://bad.example", []dispute.Note{api}, ""},
		"listed and UNKNOWN, through Go": {asset.StatusUnknown, false, "https://bad.example", []dispute.Note{listed}, onlyInList},
		"listed and BLOCKED, through Go": {asset.StatusBlocked, false, "https://bad.example", []dispute.Note{}, ""},
	} {
		f := newFixture(t, blocklist{name: "Phish List", blocks: "https://bad.example"})
		f.put(t, c.content, c.status)
		created, err := f.Create(t.Context(), dispute.CreateRequest{Content: c.content, Email: "a@b.example", ViaAPI: c.viaAPI})
		require.NoError(t, err, reason)
		require.Equal(t, c.want, created.Dispute.Notes, reason)
		require.Equal(t, c.message, created.Message, reason)
	}
}

func TestService_Create_ListNames(t *testing.T) {
	t.Parallel()
	const unnamed = "This asset is not blocked here. It is blocked in an external list."
	for name, want := range map[string]string{
		"":                   unnamed,
		"\x00":               unnamed,
		"Phish\x00 List\xff": "This asset is not blocked here. It is blocked in the external list Phish List\ufffd.",
	} {
		f := newFixture(t, blocklist{name: name, blocks: "https://bad.example"})
		created, err := f.Create(t.Context(), dispute.CreateRequest{Content: "https://bad.example", Email: "a@b.example"})
		require.NoError(t, err, "%q", name)
		require.Empty(t, created.ListsFailed, "%q", name)
		require.Equal(t, want, created.Message, "%q", name)
	}
}
