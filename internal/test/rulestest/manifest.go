package rulestest

import (
	"time"

	"github.com/stretchr/testify/require"
)

// ManifestRequest asks JavaScript to read a manifest.
type ManifestRequest struct {
	Data        []byte
	VerifierKey string
	// Last is the manifest before, or empty.
	Last []byte
	// Now, MaxAge and Rules are those of the client.
	Now    time.Time
	MaxAge time.Duration
	Rules  int
	// Held is the version of the hash lists that the client holds.
	Held string
}

// Manifest is how JavaScript has read a manifest.
type Manifest struct {
	// Code is that of the error, or empty. Then everything else is empty.
	Code string `json:"code"`
	// Refusal is the code of the reason not to use the manifest, or empty.
	Refusal string `json:"refusal"`
	// Path has the names of the files to fetch. PathCode is the code of the error, or empty.
	Path     []string `json:"path"`
	PathCode string   `json:"pathCode"`
	Version  string   `json:"version"`
	// Time is in milliseconds.
	Time  int64          `json:"time"`
	Rules int64          `json:"rules"`
	Files []ManifestFile `json:"files"`
}

// ManifestFile is a file of a Manifest.
type ManifestFile struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Since   string `json:"since"`
	Version string `json:"version"`
	Size    int64  `json:"size"`
	SHA256  string `json:"sha256"`
}

// Manifest reads a manifest.
func (h *HashLists) Manifest(t require.TestingT, r ManifestRequest) Manifest {
	return ask[Manifest](t, h, map[string]any{
		"call": "manifest", "data": r.Data, "verifierKey": r.VerifierKey, "last": r.Last, "now": r.Now.UnixMilli(),
		"maxAge": r.MaxAge.Milliseconds(), "rules": r.Rules, "held": r.Held,
	})
}
