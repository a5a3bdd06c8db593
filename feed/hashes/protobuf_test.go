package hashes_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/hashlist"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/feed/hashes"
	"github.com/apguard/apguard/internal/hashwire"
	"github.com/apguard/apguard/internal/test/contentstest"
	"github.com/apguard/apguard/internal/test/npmtest"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage/memory"
)

// protobufVariable is the environment variable with a folder in which the npm packages of
// testdata/protobuf are installed.
const protobufVariable = "APGUARD_TEST_PROTOBUF"

// decodedList is a list as testdata/protobuf/decode.cjs prints it.
type decodedList struct {
	Name    string   `json:"name"`
	Version string   `json:"version"`
	Partial bool     `json:"partial"`
	Wait    int      `json:"wait"`
	Hashes  []string `json:"hashes"`
}

// Another program, with protobufjs and Google's definition of the messages, reads every response and
// makes the same lists of them.
func TestOrigin_Since_protobufjs(t *testing.T) {
	t.Parallel()
	node := npmtest.Command(t, protobufVariable, filepath.Join("testdata", "protobuf", "decode.cjs"))
	store := memory.New()
	guard := apguard.New(store, apguard.Options{})
	drawn := contentstest.New(30)
	identities := drawn.Identities(3000)
	o := newOrigin(store, hashes.Options{MinimumWait: 90 * time.Second})
	client := hashlist.New(time.Hour)
	folder := t.TempDir()
	var (
		files []string
		want  [][]decodedList
	)
	respond := func(version string) {
		refresh(t, o)
		response := since(t, o, version)
		require.NoError(t, client.Update(hashlist.Response{Data: response.Data, AsOf: time.Now(), Rules: classify.Version}))
		files = append(files, filepath.Join(folder, fmt.Sprint(len(files))))
		require.NoError(t, os.WriteFile(files[len(files)-1], response.Data, 0o600))
		want = append(want, wanted(t, client, response))
	}
	respond("")
	for step := range testsize.Of(5, 60, 300) {
		items := make([]asset.StatusItem, 1+drawn.IntN(1+50*(step%3)))
		for i := range items {
			items[i] = asset.StatusItem{Identity: identities[drawn.IntN(len(identities))], Status: drawn.Status()}
		}
		_, err := guard.Assets.SetStatuses(t.Context(), asset.SetStatusesRequest{Items: items, ConfirmProtected: true})
		require.NoError(t, err)
		respond(client.State().Version)
	}
	respond(client.State().Version) // nothing has changed
	respond("")

	node.Args = append(node.Args, files...)
	out, err := node.Output()
	require.NoError(t, err)
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	require.Len(t, lines, len(want))
	for i, line := range lines {
		var got []decodedList
		require.NoError(t, json.Unmarshal(line, &got))
		require.Equal(t, want[i], got, i)
	}
}

// wanted returns what the other program must print for a response after which the client holds its lists.
func wanted(t *testing.T, client *hashlist.List, response hashes.Response) []decodedList {
	t.Helper()
	held, err := hashwire.Decode(contentsOf(t, client))
	require.NoError(t, err)
	lists := make([]decodedList, len(held))
	for i, list := range held {
		lists[i] = decodedList{list.Name, response.Version, response.Since != "", 90, []string{}}
		reader := list.Additions.Reader()
		for {
			hash, ok, err := reader.Next()
			require.NoError(t, err)
			if !ok {
				break
			}
			lists[i].Hashes = append(lists[i].Hashes, fmt.Sprintf("%016x", hash))
		}
	}
	return lists
}
