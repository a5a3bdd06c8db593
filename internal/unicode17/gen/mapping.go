package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"unicode"

	"github.com/apguard/apguard/internal/unicode17/layout"
)

// mapping is a range of the mapping table of UTS #46.
type mapping struct {
	first, last int
	kind        int
	text        string
}

type mappings []mapping

// The numbers of statuses in the file.
const (
	statusMapped     = 1
	statusValid      = 2
	statusDisallowed = 3
	statusDeviation  = 6
	statusIgnored    = 7
)

// readMapping reads the mapping table.
func readMapping(path string) (mappings, error) {
	var rows [][]json.RawMessage
	if err := readJSON(path, &rows); err != nil {
		return nil, err
	}
	var all mappings
	for _, row := range rows {
		m, err := parseMapping(row)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", row, err)
		}
		if len(all) > 0 && m.first != all[len(all)-1].last+1 {
			return nil, fmt.Errorf("%s: a gap before it", row)
		}
		all = append(all, m)
	}
	if len(all) == 0 || all[0].first != 0 || all[len(all)-1].last != unicode.MaxRune {
		return nil, errors.New("incomplete mapping table")
	}
	return all, nil
}

func parseMapping(row []json.RawMessage) (mapping, error) {
	if len(row) < 2 {
		return mapping{}, errors.New("too few elements")
	}
	var (
		m      mapping
		status int
		both   [2]int
	)
	if json.Unmarshal(row[0], &both) == nil {
		m.first, m.last = both[0], both[1]
	} else if err := json.Unmarshal(row[0], &m.first); err == nil {
		m.last = m.first
	} else {
		return mapping{}, err
	}
	if err := json.Unmarshal(row[1], &status); err != nil {
		return mapping{}, err
	}
	switch status {
	case statusValid, statusDeviation: // browsers use the non-transitional processing
		m.kind = layout.Valid
	case statusIgnored:
		m.kind = layout.Ignored
	case statusDisallowed:
		m.kind = layout.Disallowed
	case statusMapped:
		m.kind = layout.Mapped
		if len(row) < 3 {
			return mapping{}, errors.New("no text")
		}
		return m, json.Unmarshal(row[2], &m.text)
	default:
		return mapping{}, errors.New("unknown status")
	}
	return m, nil
}

// encode returns the records of the ranges and the texts that they refer to. A text is stored once.
func (all mappings) encode() (records, texts []byte) {
	at := make(map[string]int)
	var before mapping
	for _, m := range all {
		if m.kind != layout.Mapped {
			if m.kind == before.kind {
				continue // a longer range
			}
			before = m
			records = appendUint24(appendUint24(records, m.first), m.kind)
			continue
		}
		before = mapping{kind: layout.Mapped}
		if _, known := at[m.text]; !known {
			at[m.text] = len(texts)
			texts = append(texts, m.text...)
		}
		records = appendUint24(appendUint24(records, m.first), layout.Text(at[m.text], len(m.text)))
	}
	return records, texts
}

func sorted[V any](m map[int]V) []int {
	keys := make([]int, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
