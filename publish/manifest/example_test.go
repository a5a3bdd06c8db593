package manifest_test

import (
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"io"
	"log"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/publish/manifest"
)

// A publisher signs a manifest. A client verifies it, decides whether to use it, and reads a file that it names.
func Example() {
	private, public, err := note.GenerateKey(rand.Reader, "example.com")
	if err != nil {
		log.Fatal(err)
	}
	signer, err := note.NewSigner(private)
	if err != nil {
		log.Fatal(err)
	}
	const content = "what the file has"
	version := asset.Feed{Store: asset.StoreID{1}}.Cursor(8)
	data, err := manifest.Manifest{Version: version, Time: time.Now(), Rules: classify.Version, Files: []manifest.File{{
		Name: "export.csv", Kind: manifest.KindExport, Format: "csv",
		Version: version, Size: int64(len(content)), SHA256: sha256.Sum256([]byte(content)),
	}}}.Sign(signer)
	if err != nil {
		log.Fatal(err)
	}

	verifier, err := note.NewVerifier(public)
	if err != nil {
		log.Fatal(err)
	}
	m, err := manifest.Open(data, note.VerifierList(verifier))
	if err != nil {
		log.Fatal(err)
	}
	var last manifest.Manifest // the last one that the client has used
	if err := m.Refusal(last, time.Now(), 24*time.Hour); err != nil {
		log.Fatal(err)
	}
	for _, received := range []string{content, "What the file has"} {
		_, err := io.ReadAll(m.Files[0].Reader(strings.NewReader(received)))
		fmt.Println(m.Files[0].Name, err)
	}
	// Output:
	// export.csv <nil>
	// export.csv export.csv: file differs from the manifest: another SHA-256
}
