package hashlist

import (
	"bytes"
	"errors"

	"github.com/apguard/apguard/internal/hashwire"
)

var (
	errNoSuchIndex = errors.New("removal of an index that the list does not have")
	errPresent     = errors.New("addition of a hash that is present")
	errChecksum    = errors.New("checksum mismatch")
)

// apply returns the sorted hashes after the removals and then the additions of a list. It requires that
// they have the checksum.
func apply(old []uint64, list hashwire.HashList) ([]uint64, error) {
	if list.Removals.Len() > len(old) {
		return nil, errNoSuchIndex
	}
	hashes := make([]uint64, 0, len(old)-list.Removals.Len()+list.Additions.Len())
	removals, additions := list.Removals.Reader(), list.Additions.Reader()
	index, removing, err := removals.Next()
	if err != nil {
		return nil, err
	}
	added, adding, err := additions.Next()
	if err != nil {
		return nil, err
	}
	for i, hash := range old {
		if removing && index == uint64(i) {
			if index, removing, err = removals.Next(); err != nil {
				return nil, err
			}
			continue
		}
		for adding && added < hash {
			hashes = append(hashes, added)
			if added, adding, err = additions.Next(); err != nil {
				return nil, err
			}
		}
		if adding && added == hash {
			return nil, errPresent
		}
		hashes = append(hashes, hash)
	}
	for adding {
		hashes = append(hashes, added)
		if added, adding, err = additions.Next(); err != nil {
			return nil, err
		}
	}
	switch {
	case removing:
		return nil, errNoSuchIndex
	case !bytes.Equal(list.Checksum, hashwire.Checksum(hashes)):
		return nil, errChecksum
	}
	return hashes, nil
}
