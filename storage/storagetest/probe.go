package storagetest

import (
	"context"
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/storage"
)

// testingT is what [testing.T] and rapid's T have in common.
type testingT interface {
	require.TestingT
	Helper()
	Context() context.Context
}

// probe is a store under test. Its own methods are the store's with the errors
// checked: they fail the test where the contract knows no error.
type probe struct {
	testingT
	storage.Store
	// another opens another store. The current one must be closed before.
	another func() *probe
	// skip skips the check. It is nil in a run of the whole suite.
	skip func(reason string)
}

// everything is a limit that no list of the suite reaches.
const everything = 1_000_000

// at returns a moment of the suite's day, some milliseconds after ten o'clock.
func at(milliseconds int) time.Time {
	return time.Date(2025, time.January, 5, 10, 0, 0, 0, time.UTC).Add(time.Duration(milliseconds) * time.Millisecond)
}

// site returns the identity of the suite's n-th asset.
func site(n int) asset.Identity {
	return asset.Identity{Type: asset.TypeURL, Canonical: fmt.Sprintf("https://site-%d.example", n)}
}

// ids returns 1 to n, which are identifiers that the host gives.
func ids(n int) []int64 {
	list := make([]int64, n)
	for i := range list {
		list[i] = int64(i + 1)
	}
	return list
}

func (p *probe) putOrganization(id int64, slug string) {
	p.Helper()
	require.NoError(p, p.PutOrganization(p.Context(), account.Organization{ID: id, Slug: slug, Name: "Organization " + slug}), "PutOrganization %d", id)
}

func (p *probe) organization(id int64) account.Organization {
	p.Helper()
	organization, err := p.OrganizationByID(p.Context(), id)
	require.NoError(p, err)
	return organization
}

func (p *probe) putUser(user account.User) {
	p.Helper()
	require.NoError(p, p.PutUser(p.Context(), user), "PutUser %d", user.ID)
}

// newGroup puts a new group and returns its identifier.
func (p *probe) newGroup(organizationID int64, name string) int64 {
	p.Helper()
	group, err := p.PutGroup(p.Context(), account.Group{OrganizationID: organizationID, Name: name})
	require.NoError(p, err, "PutGroup with ID 0")
	return group.ID
}

func (p *probe) groups(organizationID int64) []account.Group {
	p.Helper()
	groups, err := p.Groups(p.Context(), organizationID)
	require.NoError(p, err, "Groups of organization %d", organizationID)
	return groups
}

func (p *probe) putKey(key account.Key) {
	p.Helper()
	require.NoError(p, p.PutKey(p.Context(), key), "PutKey")
}

func (p *probe) keys(organizationID int64) []account.Key {
	p.Helper()
	keys, err := p.Keys(p.Context(), organizationID)
	require.NoError(p, err)
	return keys
}

func (p *probe) keyRecord(secret string) account.KeyRecord {
	p.Helper()
	record, err := p.KeyByHash(p.Context(), account.HashKey(secret))
	require.NoError(p, err, "KeyByHash of %q", secret)
	return record
}

// key returns what is stored of a key. It has nil for no scopes.
func (p *probe) key(secret string) account.Key {
	p.Helper()
	key := p.keyRecord(secret).Key
	key.Scopes = orNil(key.Scopes)
	return key
}

// principal returns the principal of a key without the fingerprint, which follows from
// its hash.
func (p *probe) principal(secret string) account.Principal {
	p.Helper()
	principal := p.keyRecord(secret).Principal()
	principal.Fingerprint = ""
	return principal
}

// noKey requires that there is no key with that secret.
func (p *probe) noKey(secret string) {
	p.Helper()
	_, err := p.KeyByHash(p.Context(), account.HashKey(secret))
	require.ErrorIs(p, err, account.ErrUnknownKey, "KeyByHash of the unknown key %q", secret)
}

// keysAt returns a key service on the store whose clock stands still.
func (p *probe) keysAt(now time.Time) *account.KeyService {
	return account.NewKeyService(p.Store, account.KeyOptions{Clock: func() time.Time { return now }})
}

// updateKey changes a key and returns what the store returns.
func (p *probe) updateKey(secret string, change func(key *account.Key)) account.Key {
	p.Helper()
	key, err := p.UpdateKey(p.Context(), account.HashKey(secret), func(old account.Key) (account.KeyUpdate, error) {
		change(&old)
		return account.KeyUpdate{Key: old}, nil
	})
	require.NoError(p, err, "UpdateKey of %q", secret)
	key.Scopes = orNil(key.Scopes)
	return key
}

func (p *probe) revoke(secret string, at time.Time) account.Key {
	p.Helper()
	key, err := p.keysAt(at).Revoke(p.Context(), account.HashKey(secret))
	require.NoError(p, err, "Revoke of %q", secret)
	key.Scopes = orNil(key.Scopes)
	return key
}

// expire sets the expiry of a key. The zero time means never.
func (p *probe) expire(secret string, expiresAt time.Time) account.Key {
	p.Helper()
	return p.updateKey(secret, func(key *account.Key) { key.ExpiresAt = expiresAt })
}

// rotate rotates a key and returns the secret of the new one.
func (p *probe) rotate(secret string, at time.Time, grace time.Duration) string {
	p.Helper()
	fresh, err := p.keysAt(at).Rotate(p.Context(), account.HashKey(secret), grace)
	require.NoError(p, err, "Rotate of %q", secret)
	return fresh
}

func (p *probe) recordUse(use account.KeyUse) {
	p.Helper()
	require.NoError(p, p.RecordKeyUse(p.Context(), use), "RecordKeyUse with %+v", use)
}

func (p *probe) organizations(after int64, limit int) []account.Organization {
	p.Helper()
	organizations, err := p.Organizations(p.Context(), after, limit)
	require.NoError(p, err, "Organizations after %d", after)
	return organizations
}

// setting returns the command that sets the status of an asset.
func setting(identity asset.Identity, status asset.Status, at time.Time) asset.SetStatusCommand {
	return asset.SetStatusCommand{
		SetStatusRequest: asset.SetStatusRequest{Identity: identity, Status: status, Origin: asset.Origin{Cause: asset.CauseManual}},
		At:               at,
	}
}

// set sets the status of an asset.
func (p *probe) set(identity asset.Identity, status asset.Status, at time.Time) asset.Asset {
	p.Helper()
	return p.write(setting(identity, status, at))
}

func (p *probe) write(write asset.SetStatusCommand) asset.Asset {
	p.Helper()
	got, err := p.SetAssetStatus(p.Context(), write)
	require.NoError(p, err, "SetAssetStatus of %v", write.Identity)
	return got
}

func (p *probe) asset(identity asset.Identity) asset.Asset {
	p.Helper()
	got, err := p.AssetByIdentity(p.Context(), identity)
	require.NoError(p, err, "AssetByIdentity of %v", identity)
	return got
}

// noAsset demands that there is no asset with that identity.
func (p *probe) noAsset(identity asset.Identity) {
	p.Helper()
	_, err := p.AssetByIdentity(p.Context(), identity)
	require.ErrorIs(p, err, asset.ErrNotFound, "AssetByIdentity of %v, which is no asset", identity)
}

// newestChange returns the first change of the changelog.
func (p *probe) newestChange() asset.Change {
	p.Helper()
	return only(p, p.changesAfter(asset.ChangeFilter{}, asset.ChangeCursor{}, 1))
}

// changes returns all changes that the filter matches.
func (p *probe) changes(filter asset.ChangeFilter) []asset.Change {
	p.Helper()
	return p.changesAfter(filter, asset.ChangeCursor{}, everything)
}

func (p *probe) changesAfter(filter asset.ChangeFilter, after asset.ChangeCursor, limit int) []asset.Change {
	p.Helper()
	changes, err := p.Changes(p.Context(), filter, after, limit)
	require.NoError(p, err, "Changes for filter %+v after %+v", filter, after)
	return changes
}

// prune takes one step.
func (p *probe) prune(step asset.PruneCommand) asset.PruneResult {
	p.Helper()
	pruned, err := p.PruneChanges(p.Context(), step)
	require.NoError(p, err, "PruneChanges with %+v", step)
	return pruned
}

// pruneAll takes steps of that limit until nothing is left to look at, and
// returns how many changes they have removed.
func (p *probe) pruneAll(before time.Time, limit int) int {
	p.Helper()
	step := asset.PruneCommand{Before: before, Limit: limit}
	removed := 0
	for range 10_000 {
		pruned := p.prune(step)
		removed += pruned.Removed
		if pruned.Done {
			return removed
		}
		require.NotEqual(p, step.After, pruned.Next, "a step that is not the last must go on")
		step.After = pruned.Next
	}
	require.FailNow(p, "pruning does not come to an end", "steps of %d", limit)
	return removed
}

func (p *probe) add(cmd allowlist.AddCommand) []allowlist.Outcome {
	p.Helper()
	outcomes, err := p.AddToAllowlist(p.Context(), cmd)
	require.NoError(p, err, "AddToAllowlist")
	require.Len(p, outcomes, len(cmd.Candidates), "AddToAllowlist returns one outcome for each candidate")
	return outcomes
}

// entries returns the whole allowlist of an organization.
func (p *probe) entries(organizationID int64) []allowlist.Entry {
	p.Helper()
	return p.entriesAfter(organizationID, 0, everything)
}

func (p *probe) entriesAfter(organizationID, after int64, limit int) []allowlist.Entry {
	p.Helper()
	entries, err := p.AllowlistEntries(p.Context(), organizationID, after, limit)
	require.NoError(p, err, "AllowlistEntries of organization %d", organizationID)
	return entries
}

func (p *probe) allowingAfter(assetID, after int64, limit int) []allowlist.AllowingOrganization {
	p.Helper()
	found, err := p.AllowingOrganizations(p.Context(), assetID, after, limit)
	require.NoError(p, err, "AllowingOrganizations of asset %d", assetID)
	return found
}

func (p *probe) dispute(command dispute.CreateCommand) dispute.Dispute {
	p.Helper()
	created, err := p.CreateDispute(p.Context(), command)
	require.NoError(p, err, "CreateDispute of %v by %q", command.Identity, command.Email)
	created.Notes = orNil(created.Notes)
	return created
}

func (p *probe) disputeByID(id int64) dispute.Dispute {
	p.Helper()
	got, err := p.DisputeByID(p.Context(), id)
	require.NoError(p, err, "DisputeByID %d", id)
	got.Notes = orNil(got.Notes)
	return got
}

// only returns the one element that the list must have.
func only[T any](p *probe, list []T) T {
	p.Helper()
	require.Len(p, list, 1)
	return list[0]
}

// allPages reads a list in pages of the given size. Each page is what read
// returns for the last element of the page before, which is zero at first.
func allPages[T any](p *probe, size int, read func(last T) []T) []T {
	p.Helper()
	var (
		all  []T
		last T
	)
	for range 1000 {
		page := read(last)
		require.LessOrEqual(p, len(page), size, "a page must not be longer than the limit")
		all = append(all, page...)
		if len(page) < size {
			return all
		}
		last = page[size-1]
	}
	require.FailNow(p, "paging does not come to an end", "pages of %d", size)
	return nil
}
