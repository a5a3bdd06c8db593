package storagetest

import (
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/pending"
	"github.com/apguard/apguard/report"
)

// actCommand asks at(0) for an act that blocks sites which are UNKNOWN.
func actCommand(numbers ...int) pending.AddCommand {
	cmd := pending.AddCommand{Act: pending.Act{
		Plan: pending.Plan{Kind: pending.KindBlock, Origin: asset.Origin{Cause: asset.CauseManual}}, Actor: 1, CreatedAt: at(0),
		ExpiresAt: at(0).Add(pending.Lifetime), State: pending.StatePending,
	}}
	for _, n := range numbers {
		cmd.Act.Assets = append(cmd.Act.Assets, pending.Asset{Identity: site(n), Status: asset.StatusUnknown})
	}
	return cmd
}

// fullAct returns an act with a value in every field but ID.
func fullAct() pending.Act {
	return pending.Act{
		Plan: pending.Plan{
			Kind: pending.KindBlock,
			Assets: []pending.Asset{
				{Identity: site(1), Status: asset.StatusAllowed, ExpiresAt: at(1), Protection: asset.Protection{Reason: asset.ProtectedName, By: "<\u201ca\u201d&b>"}},
				{Identity: site(2), Status: asset.StatusUnknown},
			},
			Reason: asset.ReasonPhishing, Note: "a \u201cnote\u201d\n", ReviewAt: at(2),
			Origin: asset.Origin{Cause: asset.CauseManual, Reference: "ticket/7"},
			Review: &pending.Review{OrganizationID: 3, ProposalID: 4, Comment: "a comment", InEffect: 5},
			List:   &pending.List{ID: 6, Name: "one", Added: 7, Withdrawn: 8, Kept: 9, Digest: "0a"},
		},
		Actor: asset.MaxID, CreatedAt: at(3), ExpiresAt: at(4), State: pending.StateApproved,
		DecidedBy: asset.MaxID - 1, DecidedAt: at(5), Comment: "a \u201ccomment\u201d",
	}
}

// approval approves an act that blocks sites which are UNKNOWN.
func approval(id int64, now time.Time, numbers ...int) pending.DecideCommand {
	cmd := pending.DecideCommand{ID: id, To: pending.StateApproved, Actor: 2, Comment: "yes", At: now}
	statuses := statusesCommand(now, asset.StatusBlocked, numbers...)
	for range numbers {
		statuses.IfStatuses = append(statuses.IfStatuses, asset.StatusUnknown)
	}
	cmd.Statuses = &statuses
	return cmd
}

func (p *probe) addAct(cmd pending.AddCommand) pending.Act {
	p.Helper()
	act, err := p.AddAct(p.Context(), cmd)
	require.NoError(p, err, "AddAct")
	return act
}

// acts returns the acts that have the state at the time.
func (p *probe) acts(state pending.State, now time.Time) []pending.Act {
	p.Helper()
	page, err := p.Acts(p.Context(), pending.ListRequest{State: state, Limit: noLimit}, now)
	require.NoError(p, err, "Acts")
	require.False(p, page.More)
	return page.Items
}

func (p *probe) act(id int64) pending.Act {
	p.Helper()
	act, err := p.ActByID(p.Context(), id)
	require.NoError(p, err, "ActByID")
	return act
}

// actClaimant asks for one act in each request.
func actClaimant() claimant {
	execute := func(p *probe, cmd pending.AddCommand) ([]byte, error) {
		act, err := p.AddAct(p.Context(), cmd)
		if err != nil {
			return nil, err
		}
		return cmd.Record(act).Answer, nil
	}
	return claimant{
		method: "AddAct",
		execute: func(p *probe, n int, claim idempotency.Claim) ([]byte, error) {
			cmd := actCommand(n)
			cmd.Claim = claim
			return execute(p, cmd)
		},
		refused: func(p *probe, claim idempotency.Claim) error {
			cmd := actCommand(0)
			cmd.Claim, cmd.Refused = claim, asset.ErrChanged
			_, err := execute(p, cmd)
			return err
		},
		refusal: asset.ErrChanged,
		stored:  func(p *probe) any { return p.acts("", at(0)) },
	}
}

// decisionClaimant approves one act in each request.
func decisionClaimant() claimant {
	const acts = 10
	execute := func(p *probe, cmd pending.DecideCommand) ([]byte, error) {
		act, err := p.DecideAct(p.Context(), cmd)
		if err != nil {
			return nil, err
		}
		return cmd.Record(act).Answer, nil
	}
	return claimant{
		method: "DecideAct",
		prepare: func(p *probe) {
			for n := range acts {
				p.addAct(actCommand(n))
			}
		},
		execute: func(p *probe, n int, claim idempotency.Claim) ([]byte, error) {
			cmd := approval(int64(n)+1, at(1), n)
			cmd.Claim = claim
			return execute(p, cmd)
		},
		refused: func(p *probe, claim idempotency.Claim) error {
			_, err := execute(p, pending.DecideCommand{ID: acts + 1, To: pending.StateRejected, Claim: claim})
			return err
		},
		refusal: pending.ErrNotFound,
		stored:  func(p *probe) any { return []any{p.acts("", at(0)), p.list(asset.Filter{})} },
	}
}

// reviewAct returns an approval of a proposal, and the command of its act.
func reviewAct(p *probe, proposal report.Proposal) pending.DecideCommand {
	p.Helper()
	act := p.addAct(actCommand(1))
	cmd := approval(act.ID, at(1), 1)
	cmd.Statuses.IfStatuses[0] = proposal.Asset.Status
	review := reviewCommand(reviewOf(proposal, report.ReviewApprove, 1))
	cmd.Review = &review
	return cmd
}
