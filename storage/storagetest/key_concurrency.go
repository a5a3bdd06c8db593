package storagetest

import (
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/audit"
)

// revocationEndsRotations tests that a revoked key gets no successor while several callers
// rotate it. It tests many keys, as few rotations overlap with each revocation.
func revocationEndsRotations(p *probe) {
	for n := range 16 {
		organization := int64(n + 1)
		p.putOrganization(organization, strconv.Itoa(n))
		p.putKey(newKey("key "+strconv.Itoa(n), organization, 0))
		p.revokedInTheMiddle("key "+strconv.Itoa(n), organization)
	}
}

func (p *probe) revokedInTheMiddle(secret string, organizationID int64) {
	p.Helper()
	const callers, times = 4, 20
	var (
		rotated atomic.Int64
		revoked = make(chan struct{})
		then    []account.Key
	)
	rotate := func(times int) error {
		for n := range times {
			if err := p.rotateAt(at(n), secret, time.Hour); err != nil {
				return err
			}
			rotated.Add(1)
		}
		return nil
	}
	revoke := func() (err error) {
		defer close(revoked)
		if err := rotate(3); err != nil {
			return err
		}
		if _, err := p.keysAt(at(1)).Revoke(p.Context(), account.HashKey(secret)); err != nil {
			return err
		}
		then, err = p.Keys(p.Context(), organizationID)
		return err
	}
	p.allSucceed(concurrently(callers+1, func(i int) error {
		if i == callers {
			return revoke()
		}
		err := rotate(times)
		if err == nil {
			<-revoked
			err = p.rotateAt(at(times), secret, time.Hour)
		}
		if err == nil {
			return errors.New("a revoked key must not be rotated")
		}
		if errors.Is(err, account.ErrRevokedKey) {
			return nil
		}
		return err
	}))
	require.Len(p, p.keys(organizationID), len(then), "a revoked key must have no new successor")
	require.Len(p, then, 1+int(rotated.Load()), "every rotation must create one key")
	require.Equal(p, at(1), p.key(secret).RevokedAt)
}

// revocationOutlivesPuts puts a key repeatedly while another caller revokes it.
func revocationOutlivesPuts(p *probe) {
	p.putKey(newKey("key", 0, 0))
	var stored [8]account.Key
	p.allSucceed(concurrently(len(stored)+1, func(i int) error {
		if i == len(stored) {
			_, err := p.keysAt(at(1)).Revoke(p.Context(), account.HashKey("key"))
			return err
		}
		for n := range 20 {
			key := newKey("key", 0, 0)
			key.Name = fmt.Sprintf("%d-%d", i, n)
			err := p.PutKey(p.Context(), key, audit.Entry{})
			if errors.Is(err, account.ErrRevokedKey) {
				record, err := p.KeyByHash(p.Context(), key.Hash)
				stored[i] = record.Key
				return err
			}
			if err != nil {
				return err
			}
		}
		return nil
	}))
	final := p.key("key")
	require.Equal(p, at(1), final.RevokedAt, "a put must not undo a revocation")
	for _, key := range stored {
		if key.Hash == final.Hash {
			key.Scopes = orNil(key.Scopes)
			require.Equal(p, final, key, "a put must not change a revoked key")
		}
	}
}

// oneRotationSucceeds rotates a key by many callers whose clocks differ. It tests several
// keys, as few rotations overlap.
func oneRotationSucceeds(p *probe) {
	const callers = 16
	for n := range 4 {
		organization, secret := int64(n+1), "key "+strconv.Itoa(n)
		p.putOrganization(organization, strconv.Itoa(n))
		p.putKey(newKey(secret, organization, 0))
		p.oneSucceeds(concurrently(callers, func(i int) error {
			now := at(i)
			if n%2 == 0 {
				now = at(callers - i)
			}
			return p.rotateAt(now, secret, 0)
		}), account.ErrRevokedKey)
		require.Len(p, p.keys(organization), 2, "one rotation must store the old key and one successor")
		require.False(p, p.key(secret).RevokedAt.IsZero())
	}
}

// noPutExtends puts a key repeatedly, with and without later expiries, while another
// caller makes it expire earlier. It tests many keys, as few calls overlap.
func noPutExtends(p *probe) {
	const callers, times = 4, 10
	for n := range 16 {
		secret := "key " + strconv.Itoa(n)
		p.putKey(newKey(secret, 0, 0))
		p.allSucceed(concurrently(callers+1, func(i int) error {
			if i == callers {
				return p.expireEarlier(secret, n%2 == 0)
			}
			for m := range times {
				key := newKey(secret, 0, 0)
				if m%2 == 0 {
					key.ExpiresAt = at(1000 + m)
				}
				if err := p.PutKey(p.Context(), key, audit.Entry{}); err != nil {
					return err
				}
			}
			return nil
		}))
		require.Equal(p, at(5), p.key(secret).ExpiresAt, "a put must not extend the lifetime")
	}
}

// expireEarlier makes the key expire at 5 milliseconds, by a rotation or by a new expiry.
func (p *probe) expireEarlier(secret string, rotated bool) error {
	if rotated {
		return p.rotateAt(at(0), secret, 5*time.Millisecond)
	}
	_, err := p.keysAt(at(0)).SetExpiry(p.Context(), account.HashKey(secret), at(5))
	return err
}

// noUpdateIsLost adds a letter to the name of a key by many callers.
func noUpdateIsLost(p *probe) {
	const updates = 24
	p.putKey(newKey("key", 0, 0))
	p.allSucceed(concurrently(updates, func(int) error {
		_, err := p.UpdateKey(p.Context(), account.HashKey("key"), func(old account.Key) (account.KeyUpdate, error) {
			old.Name += "a"
			return account.KeyUpdate{Key: old}, nil
		})
		return err
	}))
	require.Len(p, p.key("key").Name, updates)
}

func keyConcurrencyChecks() []requirement {
	return []requirement{
		{"one of 16 rotations of a key without a grace period succeeds", oneRotationSucceeds},
		{"concurrent puts do not extend the lifetime of a key", noPutExtends},
		{"concurrent puts of a key store the earliest expiry", func(p *probe) {
			const puts = 32
			p.allSucceed(concurrently(puts, func(i int) error {
				key := newKey("key", 0, 0)
				key.ExpiresAt = at(1 + i*7%puts)
				return p.PutKey(p.Context(), key, audit.Entry{})
			}))
			require.Equal(p, at(1), p.key("key").ExpiresAt)
		}},
		{"no concurrent update of a key is lost", noUpdateIsLost},
		{"concurrent rotations create no successor of a revoked key", revocationEndsRotations},
		{"concurrent puts do not undo a revocation", revocationOutlivesPuts},
		{"concurrent revocations of a key set one time", func(p *probe) {
			p.putKey(newKey("key", 0, 0))
			keys := make([]account.Key, 8)
			p.allSucceed(concurrently(len(keys), func(i int) (err error) {
				keys[i], err = p.keysAt(at(i+1)).Revoke(p.Context(), account.HashKey("key"))
				return err
			}))
			for _, key := range keys {
				require.Equal(p, p.key("key").RevokedAt, key.RevokedAt)
			}
		}},
		{"concurrent uses of a key store the latest one", func(p *probe) {
			const uses = 32
			p.putKey(newKey("key", 0, 0))
			p.allSucceed(concurrently(uses, func(i int) error {
				return p.RecordKeyUse(p.Context(), keyUse("key", at(i*7%uses)))
			}))
			require.Equal(p, at(uses-1), p.key("key").LastUsedAt)
		}},
		{"concurrent calls on one key lose nothing", func(p *probe) {
			p.putKey(newKey("key", 0, 0, account.ScopeReports))
			p.allSucceed(concurrently(12, func(i int) (err error) {
				switch i % 3 {
				case 0:
					err = p.RecordKeyUse(p.Context(), keyUse("key", at(i+1)))
				case 1:
					_, err = p.keysAt(at(0)).SetExpiry(p.Context(), account.HashKey("key"), at(500))
				default:
					_, err = p.keysAt(at(600)).Revoke(p.Context(), account.HashKey("key"))
				}
				if errors.Is(err, account.ErrRevokedKey) {
					return nil
				}
				return err
			}))
			key := p.key("key")
			require.Equal(p, at(600), key.RevokedAt)
			require.Equal(p, []account.Scope{account.ScopeReports}, key.Scopes)
			require.Equal(p, at(0), key.CreatedAt)
		}},
	}
}
