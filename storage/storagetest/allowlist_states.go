package storagetest

import (
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
)

func candidateStateChecks() []requirement {
	return []requirement{
		{"states follow the order of the candidates", func(p *probe) {
			listed := p.add(addCommand(1, 1, 2))
			p.add(addCommand(2, 3))
			p.set(site(2), asset.StatusBlocked, at(1))
			p.set(site(5), asset.StatusUnknown, at(1))
			require.Equal(p, []allowlist.CandidateState{
				{AssetID: p.asset(site(5)).ID, Status: asset.StatusUnknown},
				{},
				{AssetID: listed[1].AssetID, Status: asset.StatusBlocked, Listed: true},
				{AssetID: p.asset(site(3)).ID, Status: asset.StatusAllowed},
				{AssetID: listed[0].AssetID, Status: asset.StatusAllowed, Listed: true},
			}, p.candidateStates(addCommand(1, 5, 4, 2, 3, 1)))
		}},
		{"an asset of another type is another asset", func(p *probe) {
			p.add(addCommand(1, 1))
			cmd := addCommand(1, 1)
			cmd.Candidates[0].Identity.Type = asset.TypePage
			require.Zero(p, only(p, p.candidateStates(cmd)))
		}},
		{"states of no candidates are empty", func(p *probe) {
			require.Empty(p, p.candidateStates(addCommand(1)))
		}},
		{"an unknown group is a GroupNotFoundError", func(p *probe) {
			mine, other := p.newGroup(1, "mine"), p.newGroup(2, "other")
			cmd := addCommand(1, 1)
			cmd.GroupIDs = []int64{mine}
			p.candidateStates(cmd)
			for _, missing := range []int64{998, other} {
				cmd.GroupIDs = []int64{mine, missing, 999}
				states, err := p.CandidateStates(p.Context(), cmd)
				require.Equal(p, &allowlist.GroupNotFoundError{GroupID: missing}, err)
				require.Empty(p, states)
			}
		}},
		{"CandidateStates stores nothing and ignores the claim", func(p *probe) {
			cmd := claimedAddCommand(claimOf(1, "key"), 1, 2)
			before := p.candidateStates(cmd)
			require.Equal(p, before, p.candidateStates(cmd))
			p.noAsset(site(1))
			p.add(cmd)
			require.NotEqual(p, before, p.candidateStates(cmd), "after the claim was used")
		}},
		{"states of 1,000 candidates", func(p *probe) {
			cmd := addCommand(1, numbersTo(allowlist.MaxItems)...)
			require.Equal(p, make([]allowlist.CandidateState, allowlist.MaxItems), p.candidateStates(cmd))
			outcomes := p.add(cmd)
			for i, state := range p.candidateStates(cmd) {
				require.Equal(p, allowlist.CandidateState{AssetID: outcomes[i].AssetID, Status: asset.StatusAllowed, Listed: true}, state)
			}
		}},
	}
}

func (p *probe) candidateStates(cmd allowlist.AddCommand) []allowlist.CandidateState {
	p.Helper()
	states, err := p.CandidateStates(p.Context(), cmd)
	require.NoError(p, err, "CandidateStates")
	require.Len(p, states, len(cmd.Candidates), "CandidateStates must return one state for each candidate")
	return states
}
