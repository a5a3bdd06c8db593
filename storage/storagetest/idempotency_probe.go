package storagetest

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/report"
)

// claimant is a method whose command has a claim. Its requests are numbered, and each stores
// records of its own.
type claimant struct {
	method string
	// prepare, unless nil, stores what requests need.
	prepare func(p *probe)
	// execute executes request n and returns the answer that its record must have.
	execute func(p *probe, n int, claim idempotency.Claim) (answer []byte, err error)
	// refused is like execute for a request that the store refuses with the error refusal.
	refused func(p *probe, claim idempotency.Claim) error
	refusal error
	// stored returns everything that the requests have stored.
	stored func(p *probe) any
}

// prepared lets each of the checks call prepare first.
func (c claimant) prepared(checks []requirement) []requirement {
	if c.prepare == nil {
		return checks
	}
	for i, check := range checks {
		checks[i].run = func(p *probe) {
			c.prepare(p)
			check.run(p)
		}
	}
	return checks
}

// addClaimant adds two assets in each request. The request also has an item that is invalid
// and one that is repeated.
func addClaimant() claimant {
	execute := func(p *probe, cmd allowlist.AddCommand) ([]byte, error) {
		outcomes, err := p.AddToAllowlist(p.Context(), cmd)
		if err != nil {
			return nil, err
		}
		if len(outcomes) != len(cmd.Entries) {
			return nil, fmt.Errorf("AddToAllowlist must return one outcome for each entry, not %d", len(outcomes))
		}
		return cmd.Record(outcomes).Answer, nil
	}
	return claimant{
		method:  "AddToAllowlist",
		prepare: func(p *probe) { p.ensureOrganizations(1) },
		execute: func(p *probe, n int, claim idempotency.Claim) ([]byte, error) {
			return execute(p, claimedAddCommand(claim, 2*n, 2*n+1))
		},
		refused: func(p *probe, claim idempotency.Claim) error {
			cmd := claimedAddCommand(claim, 0)
			cmd.GroupIDs = []int64{998}
			_, err := execute(p, cmd)
			return err
		},
		refusal: account.ErrGroupNotFound,
		stored: func(p *probe) any {
			return []any{p.entries(1), p.changes(asset.ChangeFilter{})}
		},
	}
}

func claimedAddCommand(claim idempotency.Claim, numbers ...int) allowlist.AddCommand {
	cmd := addCommand(1, numbers...)
	cmd.Claim = claim
	cmd.Places = []asset.Place{{Err: classify.ErrInvalidFormat}}
	for i := range numbers {
		cmd.Places = append(cmd.Places, asset.Place{Index: i})
	}
	cmd.Places = append(cmd.Places, asset.Place{Index: 0})
	return cmd
}

// disputeClaimant creates one dispute in each request.
func disputeClaimant() claimant {
	execute := func(p *probe, cmd dispute.CreateCommand) ([]byte, error) {
		created, err := p.CreateDispute(p.Context(), cmd)
		if err != nil {
			return nil, err
		}
		return cmd.Record(created).Answer, nil
	}
	return claimant{
		method: "CreateDispute",
		execute: func(p *probe, n int, claim idempotency.Claim) ([]byte, error) {
			cmd := registeringCommand(n, strconv.Itoa(n)+"@acme.example")
			cmd.Notes = systemNotes("one", "two")
			cmd.Claim = claim
			return execute(p, cmd)
		},
		refused: func(p *probe, claim idempotency.Claim) error {
			cmd := disputeCommand(0, "0@acme.example")
			cmd.Claim = claim
			_, err := execute(p, cmd)
			return err
		},
		refusal: asset.ErrNotFound,
		stored: func(p *probe) any {
			return p.allDisputes(dispute.Filter{})
		},
	}
}

// reportClaimant files one report in each request. No request of a valid report is refused.
func reportClaimant() claimant {
	return claimant{
		method: "FileReport",
		execute: func(p *probe, n int, claim idempotency.Claim) ([]byte, error) {
			cmd := fileCommand(strconv.Itoa(n), 2*n, 2*n+1)
			cmd.Claim = claim
			filed, err := p.FileReport(p.Context(), cmd)
			if err != nil {
				return nil, err
			}
			return cmd.Record(filed).Answer, nil
		},
		stored: func(p *probe) any {
			return p.reports(1, report.Filter{})
		},
	}
}

// statusClaimant sets the status of one asset in each request.
func statusClaimant() claimant {
	execute := func(p *probe, cmd asset.SetStatusesCommand) ([]byte, error) {
		before, err := p.SetAssetStatuses(p.Context(), cmd)
		if err != nil {
			return nil, err
		}
		return cmd.Record(before).Answer, nil
	}
	return claimant{
		method: "SetAssetStatuses",
		execute: func(p *probe, n int, claim idempotency.Claim) ([]byte, error) {
			cmd := statusesCommand(at(1), asset.StatusBlocked, n)
			cmd.Claim = claim
			return execute(p, cmd)
		},
		refused: func(p *probe, claim idempotency.Claim) error {
			cmd := statusesCommand(at(1), asset.StatusUnknown, 0)
			cmd.Claim, cmd.IfStatus = claim, asset.StatusAllowed
			_, err := execute(p, cmd)
			return err
		},
		refusal: asset.ErrChanged,
		stored: func(p *probe) any {
			return []any{p.list(asset.Filter{}), p.changes(asset.ChangeFilter{})}
		},
	}
}

// repeated requires that a command with a claim is executed once, and that a repeat gets the
// answer of its record.
func repeated[T any](p *probe, execute func() (T, error), record func(T) idempotency.Record) {
	p.Helper()
	done, err := execute()
	require.NoError(p, err)
	_, err = execute()
	require.Equal(p, &idempotency.ReplayError{Answer: record(done).Answer}, err)
}

// claimOf returns the claim of request n with a key, made at(0).
func claimOf(n int, key string) idempotency.Claim {
	return idempotency.Claim{
		OrganizationID: 1,
		UserID:         2,
		Operation:      "test",
		Key:            idempotency.Key{Text: key, Fingerprint: idempotency.FingerprintOf(strconv.Itoa(n))},
		At:             at(0),
	}
}

// claimAfter is like claimOf for a later time.
func claimAfter(n int, key string, after time.Duration) idempotency.Claim {
	claim := claimOf(n, key)
	claim.At = claim.At.Add(after)
	return claim
}

// executes requires that request n is executed, and returns the answer of its record.
func (p *probe) executes(c claimant, n int, claim idempotency.Claim) []byte {
	p.Helper()
	before := c.stored(p)
	answer, err := c.execute(p, n, claim)
	require.NoError(p, err, "request %d with the key %q at %v", n, claim.Key.Text, claim.At)
	require.NotEqual(p, before, c.stored(p), "request %d with the key %q must be executed", n, claim.Key.Text)
	return answer
}

// repeats requires that request n is not executed, and returns the answer of the record.
func (p *probe) repeats(c claimant, n int, claim idempotency.Claim) []byte {
	p.Helper()
	before := c.stored(p)
	_, err := c.execute(p, n, claim)
	var repeat *idempotency.ReplayError
	require.ErrorAs(p, err, &repeat, "request %d with the key %q at %v", n, claim.Key.Text, claim.At)
	require.Equal(p, before, c.stored(p), "a repeat must store nothing")
	return repeat.Answer
}

func (p *probe) pruneIdempotency(before time.Time, limit int) int {
	p.Helper()
	removed, err := p.PruneIdempotency(p.Context(), before, limit)
	require.NoError(p, err, "PruneIdempotency")
	return removed
}

// oneExecutes makes n calls at the same time. It requires that one is executed and that the
// others fail: as repeats, with the error, or because they do not wait. It returns the answer.
func (p *probe) oneExecutes(n int, others error, call func(i int) ([]byte, error)) []byte {
	p.Helper()
	answers := make([][]byte, n)
	errs := concurrently(n, func(i int) (err error) {
		answers[i], err = call(i)
		return err
	})
	var executed [][]byte
	for i, err := range errs {
		var repeat *idempotency.ReplayError
		switch {
		case err == nil:
			executed = append(executed, answers[i])
		case errors.Is(err, idempotency.ErrInProgress), others != nil && errors.Is(err, others):
		case others == nil && errors.As(err, &repeat):
			answers[i] = repeat.Answer
		default:
			require.NoError(p, err, "a concurrent call with the same key")
		}
	}
	answer := only(p, executed)
	for i, err := range errs {
		if errors.As(err, new(*idempotency.ReplayError)) {
			require.Equal(p, answer, answers[i], "the answer of a concurrent repeat")
		}
	}
	return answer
}
