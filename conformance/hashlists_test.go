package conformance_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/hashlist"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/hashwire"
)

// hashLists is what the rule of hash lists is given: responses that are applied in order, and contents that
// are checked after them.
type hashLists struct {
	Responses []response `json:"responses"`
	Contents  []string   `json:"contents"`
}

type response struct {
	Name         string `json:"name"`
	RulesVersion int    `json:"rulesVersion"`
	Data         []byte `json:"data"`
}

// updated is the answer of the rule of hash lists: what is held after each response, and the verdicts.
type updated struct {
	Responses []heldLists `json:"responses"`
	// Verdicts has a verdict or a noVerdict for each content.
	Verdicts []any `json:"verdicts"`
}

// heldLists is what is held after a response. The error is the code of the error of rules/js, or empty.
type heldLists struct {
	Error       string `json:"error,omitempty"`
	Version     string `json:"version"`
	MinimumWait int64  `json:"minimumWait"`
	Blocked     []hash `json:"blocked"`
	Allowed     []hash `json:"allowed"`
}

// hash is written as 16 hexadecimal digits.
type hash uint64

func (h hash) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%016x", uint64(h)), nil }

func (h *hash) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 16, 64)
	*h = hash(n)
	return err
}

// noVerdict says why there is no verdict for a content: NO_LIST, or REFUSED with the reason.
type noVerdict struct {
	Error  string          `json:"error"`
	Reason classify.Reason `json:"reason,omitempty"`
}

func apply(t require.TestingT, given hashLists) updated {
	answer := updated{Responses: []heldLists{}, Verdicts: []any{}}
	list := hashlist.New(time.Hour)
	for _, r := range given.Responses {
		err := list.Update(hashlist.Response{Data: r.Data, AsOf: time.Now(), Rules: r.RulesVersion})
		now := heldBy(t, list)
		now.Error = codeOf(t, err)
		answer.Responses = append(answer.Responses, now)
	}
	for _, text := range given.Contents {
		found, err := list.Check(context.Background(), text)
		if err != nil {
			answer.Verdicts = append(answer.Verdicts, noVerdict{codeOf(t, err), reasonOf(err)})
			continue
		}
		answer.Verdicts = append(answer.Verdicts, verdictOf(found))
	}
	return answer
}

// codeOf returns the code of rules/js for an error of a hash list.
func codeOf(t require.TestingT, err error) string {
	if err == nil {
		return ""
	}
	var rules *hashlist.RulesError
	if errors.As(err, &rules) {
		return "OTHER_RULES"
	}
	for target, code := range map[error]string{
		hashlist.ErrDamaged: "DAMAGED", hashlist.ErrReplayed: "REPLAYED", hashlist.ErrDowngraded: "DOWNGRADED",
		hashlist.ErrNoList: "NO_LIST", asset.ErrInvalid: "REFUSED",
	} {
		if errors.Is(err, target) {
			return code
		}
	}
	require.NoError(t, err)
	return ""
}

// heldBy returns what a list holds. It reads the saved list, which has the hashes in the form of a response
// between a first line with two numbers and a checksum.
func heldBy(t require.TestingT, list *hashlist.List) heldLists {
	var saved bytes.Buffer
	if err := list.Save(&saved); errors.Is(err, hashlist.ErrNoList) {
		return heldLists{Blocked: []hash{}, Allowed: []hash{}}
	}
	_, rest, _ := bytes.Cut(saved.Bytes(), []byte("\n"))
	lists, err := hashwire.Decode(rest[16 : len(rest)-sha256.Size])
	require.NoError(t, err)
	require.Len(t, lists, 2)
	state := list.State()
	return heldLists{
		Version:     state.Version,
		MinimumWait: state.MinimumWait.Milliseconds(),
		Blocked:     hashesOf(t, lists[0]),
		Allowed:     hashesOf(t, lists[1]),
	}
}

// hashesOf returns the hashes of a whole list.
func hashesOf(t require.TestingT, list hashwire.HashList) []hash {
	hashes := []hash{}
	for reader := list.Additions.Reader(); ; {
		n, ok, err := reader.Next()
		require.NoError(t, err)
		if !ok {
			return hashes
		}
		hashes = append(hashes, hash(n))
	}
}
