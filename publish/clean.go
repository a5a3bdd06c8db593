package publish

import (
	"bytes"
	"context"
	"encoding/json"
	"regexp"
	"time"

	"github.com/apguard/apguard/publish/manifest"
)

const (
	// unusedName is the name of the file with an unused.
	unusedName = "unused.json"
	// maxUnused is the maximum size of that file, in bytes.
	maxUnused = 16 << 20
	// cleanings is how often the folder is cleaned during the time that files are kept.
	cleanings = 24
)

// unused says since when files of a folder are not named by the manifest. All times are by the clock of the folder.
type unused struct {
	// Time is when the files were compared with the manifest.
	Time  time.Time            `json:"time"`
	Since map[string]time.Time `json:"since"`
}

// removable matches the names of files that a publisher has made: of no other file in the folder.
var removable = regexp.MustCompile(`^(?:(?:hashes|export|changes|metamask)-[0-9a-f]{16}\.[a-z]+|` + regexp.QuoteMeta(TempPrefix) + `.*)$`)

// clean removes the files that no manifest has named for a time. The folder tells what time it is: that when the
// manifest was written. So the clock of this publisher can be wrong. A file that another publisher has written just
// now, and that its next manifest names, is never old enough.
func (w *work) clean(ctx context.Context) error {
	last, ok := w.stored[manifest.Name]
	if !ok {
		return nil
	}
	data, err := w.read(ctx, unusedName, maxUnused)
	if err != nil {
		return err
	}
	var before unused
	if json.Unmarshal(data, &before) != nil {
		before = unused{} // nothing is removed before it is known to be old
	}
	now, keep := last.Written.UTC(), w.options.Keep
	if age := now.Sub(before.Time); age >= 0 && age < keep/cleanings {
		return nil
	}
	next, old := w.unused(before, now)
	err = w.folder.Sweep(ctx, func(file Stored) bool {
		if !old[file.Name] || now.Sub(file.Written) < keep { // it can have been written again
			return true
		}
		w.result.Removed++
		return false
	})
	if err != nil {
		return err
	}
	data, err = json.Marshal(next)
	if err != nil {
		return err
	}
	return w.folder.Write(ctx, unusedName, bytes.NewReader(data))
}

// unused returns what is not used now, and the names of the files that were not used for long enough.
func (w *work) unused(before unused, now time.Time) (next unused, old map[string]bool) {
	next, old = unused{Time: now, Since: make(map[string]time.Time)}, make(map[string]bool)
	named := make(map[string]bool, len(w.present.Files))
	for _, f := range w.present.Files {
		named[f.Name] = true
	}
	for name, file := range w.stored {
		if named[name] || !removable.MatchString(name) {
			continue
		}
		since, ok := before.Since[name]
		if !ok || since.After(now) {
			since = now
		}
		if min(now.Sub(since), now.Sub(file.Written)) >= w.options.Keep {
			old[name] = true
		} else {
			next.Since[name] = since
		}
	}
	return next, old
}
