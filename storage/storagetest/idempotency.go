package storagetest

import (
	"context"
	"fmt"
	"strconv"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/idempotency"
)

// idempotencyChecks test a method whose command has a claim.
func idempotencyChecks(c claimant) []requirement {
	return c.prepared([]requirement{
		{"a repeat returns the first answer and stores nothing", func(p *probe) {
			first := p.executes(c, 1, claimOf(1, "key"))
			p.executes(c, 2, claimOf(2, "other key"))
			require.Equal(p, first, p.repeats(c, 1, claimOf(1, "key")))
			require.Equal(p, first, p.repeats(c, 1, claimOf(1, "key")), "a second repeat")
			require.Equal(p, first, p.repeats(c, 1, claimAfter(1, "key", idempotency.Lifetime/2)))
		}},
		{"organizations, users and operations have keys of their own", func(p *probe) {
			claims := []func(*idempotency.Claim){
				func(*idempotency.Claim) {},
				func(claim *idempotency.Claim) { claim.OrganizationID = 11 },
				func(claim *idempotency.Claim) { claim.OrganizationID = 0 },
				func(claim *idempotency.Claim) { claim.UserID = 12 },
				func(claim *idempotency.Claim) { claim.UserID = 0 },
				func(claim *idempotency.Claim) { claim.OrganizationID, claim.UserID = 0, 0 },
				func(claim *idempotency.Claim) { claim.Operation = "other" },
				func(claim *idempotency.Claim) { claim.Key.Text = "KEY" },
			}
			answers := make([][]byte, len(claims))
			for i, change := range claims {
				claim := claimOf(i, "key")
				change(&claim)
				answers[i] = p.executes(c, i, claim)
			}
			for i, change := range claims {
				claim := claimOf(i, "key")
				change(&claim)
				require.Equal(p, answers[i], p.repeats(c, i, claim), "%+v", claim)
			}
		}},
		{"the answer of a record is not shared", func(p *probe) {
			first := string(p.executes(c, 1, claimOf(1, "key")))
			clear(p.repeats(c, 1, claimOf(1, "key")))
			require.Equal(p, first, string(p.repeats(c, 1, claimOf(1, "key"))))
		}},
	})
}

// claimConcurrencyChecks test a method whose command has a claim, with concurrent calls.
func claimConcurrencyChecks(c claimant) []requirement {
	return c.prepared([]requirement{
		{"eight concurrent equal requests of " + c.method + " are executed once", func(p *probe) {
			for round := range 4 {
				key := strconv.Itoa(round)
				answer := p.oneExecutes(8, nil, func(int) ([]byte, error) {
					return c.execute(p, round, claimOf(round, key))
				})
				require.Equal(p, answer, p.repeats(c, round, claimOf(round, key)))
			}
		}},
		{"one of eight concurrent requests of " + c.method + " with the same key is executed", func(p *probe) {
			before := c.stored(p)
			p.oneExecutes(8, idempotency.ErrReused, func(i int) ([]byte, error) {
				return c.execute(p, i, claimOf(i, "key"))
			})
			executed := c.stored(p)
			require.NotEqual(p, before, executed)
			for i := range 8 {
				_, err := c.execute(p, i, claimOf(i, "key"))
				require.Error(p, err)
			}
			require.Equal(p, executed, c.stored(p))
		}},
		{"eight concurrent requests of " + c.method + " replace one expired record once", func(p *probe) {
			p.executes(c, 1, claimOf(1, "key"))
			p.oneExecutes(8, nil, func(int) ([]byte, error) {
				return c.execute(p, 2, claimAfter(2, "key", idempotency.Lifetime))
			})
		}},
		{"concurrent requests of " + c.method + " are executed while old records are removed", func(p *probe) {
			const callers, old = 8, 40
			for n := range old {
				p.executes(c, n, claimOf(n, fmt.Sprint("old ", n)))
			}
			later := 3 * idempotency.Lifetime
			p.allSucceed(concurrently(callers, func(i int) error {
				if i%2 == 1 {
					_, err := p.PruneIdempotency(p.Context(), at(0).Add(later), old/4)
					return err
				}
				// It replaces an expired record that others want to remove.
				n, key := old+i, fmt.Sprint("old ", i)
				_, err := c.execute(p, n, claimAfter(n, key, later))
				return err
			}))
		}},
	})
}

// claimInterruptionChecks execute a command with a claim until its context ends.
func claimInterruptionChecks(c claimant) []requirement {
	return c.prepared([]requirement{{c.method + " with a claim", func(p *probe) { interruptedClaims(p, c) }}})
}

// interruptedClaims executes a request with contexts that are canceled later and later.
func interruptedClaims(p *probe, c claimant) {
	before := c.stored(p)
	interrupted := *p
	for n := 1; n < noLimit; n++ {
		ctx := cancelAfter(p.Context(), n)
		interrupted.testingT = inContext{p.testingT, ctx}
		_, err := c.execute(&interrupted, 1, claimOf(1, "key"))
		ctx.end()
		if err == nil {
			break
		}
		require.ErrorIs(p, err, context.Canceled, "a context that is canceled at check %d", n)
		require.Equal(p, before, c.stored(p), "a context that is canceled at check %d", n)
	}
	require.NotEqual(p, before, c.stored(p))
	p.repeats(c, 1, claimOf(1, "key"))
}

// inContext is a test with another context.
type inContext struct {
	testingT
	ctx context.Context //nolint:containedctx // it replaces that of the test
}

func (t inContext) Context() context.Context { return t.ctx }

// removeIdempotencyChecks test claims of RemoveFromAllowlist.
func removeIdempotencyChecks() []requirement {
	claimed := func(p *probe, numbers ...int) allowlist.RemoveCommand {
		cmd := p.removal(1, numbers...)
		for i := range cmd.AssetIDs {
			cmd.Places = append(cmd.Places, asset.Place{Index: i})
		}
		cmd.Places = append(cmd.Places, asset.Place{Err: allowlist.ErrNotListed}, asset.Place{Duplicate: true})
		cmd.Claim = claimOf(1, "key")
		return cmd
	}
	return []requirement{
		{"a repeat of a removal returns the first answer and removes nothing", func(p *probe) {
			p.add(addCommand(1, 1, 2))
			p.add(addCommand(2, 3))
			cmd := claimed(p, 1, 2, 3)
			want := cmd.Record(p.remove(cmd)).Answer
			p.add(addCommand(1, 1, 2, 3))
			entries, changes := p.entries(1), p.changes(asset.ChangeFilter{})
			for range 2 {
				var repeat *idempotency.ReplayError
				_, err := p.RemoveFromAllowlist(p.Context(), cmd)
				require.ErrorAs(p, err, &repeat)
				require.Equal(p, want, repeat.Answer)
			}
			other := cmd
			other.Claim = claimOf(2, "key")
			_, err := p.RemoveFromAllowlist(p.Context(), other)
			require.ErrorIs(p, err, idempotency.ErrReused)
			require.Equal(p, entries, p.entries(1))
			require.Equal(p, changes, p.changes(asset.ChangeFilter{}))
		}},
		{"a removal of nothing has a record too", func(p *probe) {
			cmd := claimed(p)
			cmd.Places = cmd.Places[:1]
			require.Empty(p, p.remove(cmd))
			_, err := p.RemoveFromAllowlist(p.Context(), cmd)
			require.ErrorAs(p, err, new(*idempotency.ReplayError))
		}},
	}
}

// removeClaimConcurrencyChecks test concurrent removals with the same claim.
func removeClaimConcurrencyChecks() []requirement {
	return []requirement{{"four concurrent equal removals are executed once", func(p *probe) {
		for round := range 4 {
			p.add(addCommand(1, numbersTo(100)...))
			cmd := p.removal(1, numbersTo(100)...)
			cmd.Claim = claimOf(1, strconv.Itoa(round))
			for i := range cmd.AssetIDs {
				cmd.Places = append(cmd.Places, asset.Place{Index: i})
			}
			p.oneExecutes(4, nil, func(int) ([]byte, error) {
				removed, err := p.RemoveFromAllowlist(p.Context(), cmd)
				return cmd.Record(removed).Answer, err
			})
			require.Empty(p, p.entries(1))
		}
	}}}
}

// addIdempotencyChecks test claims of AddToAllowlist.
func addIdempotencyChecks() []requirement {
	return append(idempotencyChecks(addClaimant()), requirement{"a record has the outcomes of 1,000 items", func(p *probe) {
		cmd := claimedAddCommand(claimOf(1, "key"), numbersTo(allowlist.MaxItems)...)
		want := cmd.Record(p.add(cmd)).Answer
		var repeat *idempotency.ReplayError
		_, err := p.AddToAllowlist(p.Context(), cmd)
		require.ErrorAs(p, err, &repeat)
		require.Equal(p, want, repeat.Answer)
	}})
}
