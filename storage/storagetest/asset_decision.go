package storagetest

import (
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
)

func decisionChecks() []requirement {
	return []requirement{
		{"a decision is stored with all its fields", func(p *probe) {
			cmd := statusCommand(site(1), asset.StatusBlocked, at(7))
			cmd.Reason, cmd.Note = asset.ReasonCommandAndControl, "Seen by <b>Ada</b> \u202e"
			cmd.Origin = asset.Origin{Cause: asset.CauseImport, Actor: asset.MaxID, Reference: "ticket/42"}
			before := only(p, p.setStatuses(cmd))
			require.Equal(p, asset.Held{Known: asset.Known{Asset: asset.Asset{ID: before.ID, Identity: site(1), Status: asset.StatusUnknown}}}, before)
			first := asset.Decision{Status: asset.StatusBlocked, Reason: cmd.Reason, Note: cmd.Note, Since: at(7), Origin: cmd.Origin}
			basis := asset.Basis{By: asset.SourceOperator, Reason: cmd.Reason, Note: cmd.Note, Since: at(7)}
			held := asset.Held{Known: asset.Known{Asset: p.asset(site(1)), Basis: basis}, ChangedAt: at(7), Operators: &first}
			require.Equal(p, held, p.held(site(1), at(0)))

			next := statusCommand(site(1), asset.StatusUnknown, at(9))
			require.Equal(p, held, only(p, p.setStatuses(next)))
			held.Status, held.ChangedAt = asset.StatusUnknown, at(9)
			held.Basis = asset.Basis{By: asset.SourceOperator, Since: at(9)}
			held.Operators = &asset.Decision{Status: asset.StatusUnknown, Since: at(9), Origin: next.Origin, Replaced: &first}
			require.Equal(p, held, p.held(site(1), at(0)))
		}},
		{"every reason is stored", func(p *probe) {
			for n, reason := range asset.Reasons() {
				for _, status := range asset.Statuses() {
					if reason.Fits(status) {
						cmd := statusCommand(site(n), status, at(n))
						cmd.Reason = reason
						p.setStatuses(cmd)
					}
				}
				require.Equal(p, reason, p.held(site(n), at(0)).Operators.Reason)
			}
		}},
		{"what is held has the last entry that has not ended", needs("AddToAllowlist", func(p *probe) {
			for organization := range int64(3) {
				cmd := addCommand(organization+1, 1)
				cmd.At = at(int(organization))
				cmd.Entries[0].ExpiresAt = at(10 - int(organization))
				p.add(cmd)
			}
			for now, want := range map[int]time.Time{5: at(2), 8: at(1), 9: at(0), 10: {}} {
				require.Equal(p, want, p.held(site(1), at(now)).LastEntry, "at %v", at(now))
			}
		})},
		{"a status that is set again counts, although an entry has ended since", needs("AddToAllowlist", func(p *probe) {
			p.set(site(1), asset.StatusBlocked, at(1))
			cmd := addCommand(1, 1)
			cmd.At, cmd.Entries[0].ExpiresAt = at(2), at(5)
			p.add(cmd)
			require.Equal(p, asset.StatusAllowed, p.asset(site(1)).Status)
			p.set(site(1), asset.StatusBlocked, at(6))
			require.Equal(p, asset.StatusBlocked, p.asset(site(1)).Status)
			require.Equal(p, at(6), p.newestChange().At)
			require.Equal(p, at(1), p.held(site(1), at(6)).Operators.Since, "the decision is the same")
		})},
		{"an asset that does not exist holds nothing", func(p *probe) {
			_, err := p.Held(p.Context(), site(1), at(0))
			require.Equal(p, asset.ErrNotFound, err)
		}},
		{"what operators have not decided is not withdrawn", func(p *probe) {
			p.set(site(1), asset.StatusAllowed, at(-1))
			p.set(site(1), asset.StatusBlocked, at(0))
			for reason, c := range map[string]struct {
				cmd  asset.SetStatusesCommand
				want error
			}{
				"an asset that does not exist":  {withdrawalOf(at(1), 2), asset.ErrNoDecision},
				"an asset with another status":  {withdrawIf(asset.StatusAllowed, withdrawalOf(at(1), 1)), asset.ErrChanged},
				"neither a decision nor status": {withdrawIf(asset.StatusAllowed, withdrawalOf(at(1), 2)), asset.ErrNoDecision},
			} {
				before := p.list(asset.Filter{})
				_, err := p.SetAssetStatuses(p.Context(), c.cmd)
				require.Equal(p, c.want, err, reason)
				require.Equal(p, before, p.list(asset.Filter{}), "%s: nothing is registered", reason)
			}
			p.setStatuses(withdrawIf(asset.StatusBlocked, withdrawalOf(at(1), 1)))
			require.Equal(p, asset.StatusUnknown, p.asset(site(1)).Status)
			require.Nil(p, p.held(site(1), at(1)).Operators)
			_, err := p.SetAssetStatuses(p.Context(), withdrawalOf(at(2), 1))
			require.Equal(p, asset.ErrNoDecision, err, "a second time")
		}},
		{"acts are undone where the decision stands, and nowhere else", func(p *probe) {
			undo := asset.SetStatusesCommand{At: at(9), Origin: asset.Origin{Cause: asset.CauseWithdrawal}}
			for n, before := range []asset.Status{asset.StatusBlocked, "", asset.StatusBlocked} {
				if before != "" {
					p.set(site(n), before, at(1))
				}
				previous := only(p, p.setStatuses(statusesCommand(at(2), asset.StatusAllowed, n))).Operators
				item := asset.UndoItem{Identity: site(n), Decision: p.held(site(n), at(9)).Operators, Previous: previous}
				undo.Items, undo.Undo = append(undo.Items, asset.StatusItem{Identity: site(n)}), append(undo.Undo, item)
			}
			p.set(site(2), asset.StatusUnknown, at(3))
			for n, before := range p.setStatuses(undo) {
				held, _ := undo.Apply(n, before)
				held, _, _ = held.Settle(undo.At, undo.Origin)
				require.Equal(p, held, p.held(site(n), at(9)))
			}
			require.Equal(p, undo.Undo[0].Previous, p.held(site(0), at(9)).Operators)
			require.Nil(p, p.held(site(1), at(9)).Operators)
			require.Equal(p, at(3), p.held(site(2), at(9)).Operators.Since, "what was decided since stays")
		}},
	}
}

// withdrawDecision takes back what operators hold on an asset.
func (m *machine) withdrawDecision(t *rapid.T) {
	identity := anyIdentity.Draw(t, "identity")
	cmd := asset.SetStatusesCommand{
		Items:    []asset.StatusItem{{Identity: identity}},
		Origin:   asset.Origin{Cause: asset.CauseWithdrawal, Actor: maybe(anyUser).Draw(t, "actor")},
		At:       anyTime.Draw(t, "at"),
		Withdraw: true,
		IfStatus: sometimes(anyStatus).Draw(t, "if status"),
	}
	got, err := m.SetAssetStatuses(m.Context(), cmd)
	known := m.model.asset(identity)
	switch {
	case known == nil || m.model.decisions[known.ID] == nil:
		require.Equal(m, asset.ErrNoDecision, err)
	case cmd.IfStatus != "" && cmd.IfStatus != known.Status:
		require.Equal(m, asset.ErrChanged, err)
	default:
		require.NoError(m, err)
		require.Equal(m, m.model.held(known, cmd.At), byList(only(m.probe, got)))
		delete(m.model.decisions, known.ID)
		m.model.settle(known, cmd.At, cmd.Origin)
	}
	m.compareChanges()
}

// readHeld compares what is held on an asset.
func (m *machine) readHeld(t *rapid.T) {
	identity, now := anyIdentity.Draw(t, "identity"), anyTime.Draw(t, "at")
	if known := m.model.asset(identity); known != nil {
		require.Equal(m, m.model.held(known, now), m.held(identity, now), "what is held on %v at %v", identity, now)
		return
	}
	_, err := m.Held(m.Context(), identity, now)
	require.Equal(m, asset.ErrNotFound, err)
}

func (p *probe) held(identity asset.Identity, now time.Time) asset.Held {
	p.Helper()
	held, err := p.Held(p.Context(), identity, now)
	require.NoError(p, err, "Held")
	return byList(held)
}

// withdrawalOf takes back what operators hold on the site with the number.
func withdrawalOf(at time.Time, number int) asset.SetStatusesCommand {
	cmd := statusesCommand(at, "", number)
	cmd.Origin.Cause, cmd.Withdraw = asset.CauseWithdrawal, true
	return cmd
}

func withdrawIf(status asset.Status, cmd asset.SetStatusesCommand) asset.SetStatusesCommand {
	cmd.IfStatus = status
	return cmd
}
