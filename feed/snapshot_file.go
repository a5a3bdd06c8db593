package feed

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// loadSnapshot reads the snapshot, if there is one.
func (r *Replica) loadSnapshot() (*copies, error) {
	file, err := os.Open(r.options.Snapshot)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // there is none
	}
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // it is only read
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	c, err := readSnapshot(file, info.Size(), r.options.Views)
	if err != nil {
		return nil, err
	}
	c.restored, c.listedAt = true, time.Now()
	return c, nil
}

// saveSnapshot replaces the snapshot by one of the copies. After a crash at any time, the file is the old one or the new
// one.
func (r *Replica) saveSnapshot(c *copies) (err error) {
	temporary := r.options.Snapshot + ".tmp"
	if err := os.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	file, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // the host chooses it
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(temporary) // the next one does too
		}
	}()
	if err := errors.Join(c.writeSnapshot(file), file.Sync(), file.Close()); err != nil {
		return err
	}
	if err := os.Rename(temporary, r.options.Snapshot); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(r.options.Snapshot))
}

// syncFolder makes a rename durable. Where folders cannot be synced, it is when the system chooses.
func syncFolder(path string) error {
	folder, err := os.Open(path) //nolint:gosec // see above
	if err != nil {
		return err
	}
	_ = folder.Sync() // some systems refuse
	return folder.Close()
}

// snapshots writes snapshots when they are due.
type snapshots struct {
	replica *Replica
	// savedAt is when the last one was written or read, and saved what was in it.
	savedAt time.Time
	saved   asOfCopies
	failure string
}

// asOfCopies identifies what is in a snapshot.
type asOfCopies struct {
	copies *copies
	cursor string
}

// restore returns the copies of the snapshot, or nil.
func (s *snapshots) restore() *copies {
	if s.replica.options.Snapshot == "" {
		return nil
	}
	c, err := s.replica.loadSnapshot()
	if err != nil {
		s.replica.options.OnEvent(Event{Kind: EventSnapshotIgnored, Err: err})
	}
	if c != nil {
		s.savedAt, s.saved = time.Now(), asOfCopies{c, c.cursor.String()}
	}
	return c
}

// save writes a snapshot of copies that were published, if they have changed. Unless the last one is to be written, it
// waits for the interval.
func (s *snapshots) save(c *copies, last bool) {
	options := s.replica.options
	if options.Snapshot == "" || c == nil || !c.published || !last && time.Since(s.savedAt) < options.SnapshotInterval {
		return
	}
	now := asOfCopies{c, c.cursor.String()}
	if now.cursor == "" || now == s.saved {
		return
	}
	s.savedAt = time.Now()
	if err := s.replica.saveSnapshot(c); err != nil {
		if err.Error() != s.failure {
			s.failure = err.Error()
			options.OnEvent(Event{Kind: EventSnapshotFailed, Err: err})
		}
		return
	}
	s.saved, s.failure = now, ""
}
