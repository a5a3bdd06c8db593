package manifest

import (
	"encoding/hex"
	"encoding/json"

	"github.com/apguard/apguard/asset"
)

// layout is the only form of a time in a manifest, in UTC.
const layout = "2006-01-02T15:04:05.000Z"

// text is the JSON of a manifest.
type text struct {
	Version asset.FeedCursor `json:"version"`
	Time    string           `json:"time"`
	Rules   int              `json:"rulesVersion"`
	Files   []textFile       `json:"files"`
}

// textFile is the JSON of a file.
type textFile struct {
	Name    string           `json:"name"`
	Kind    Kind             `json:"kind"`
	Format  string           `json:"format,omitempty"`
	Since   string           `json:"since,omitempty"`
	Version asset.FeedCursor `json:"version"`
	Size    int64            `json:"size"`
	SHA256  string           `json:"sha256"`
}

// encode returns the text of the manifest: a line of JSON.
func (m Manifest) encode() string {
	t := text{Version: m.Version, Time: stamp(m.Time), Rules: m.Rules, Files: make([]textFile, len(m.Files))}
	for i, f := range m.Files {
		t.Files[i] = textFile{
			Name: f.Name, Kind: f.Kind, Format: f.Format, Since: f.Since.String(), Version: f.Version, Size: f.Size,
			SHA256: hex.EncodeToString(f.SHA256[:]),
		}
	}
	data, _ := json.Marshal(t) // strings, numbers and cursors have no error
	return string(data) + "\n"
}
