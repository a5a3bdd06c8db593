package storagetest

import (
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
)

// revocationEndsRotations rotates a key again and again, by several callers, until
// another one revokes it. From then on there are no new keys. It is one key after the
// other, as each is revoked in the middle of few rotations.
func revocationEndsRotations(p *probe) {
	for n := range 16 {
		organization := int64(n + 1)
		p.putOrganization(organization, strconv.Itoa(n))
		p.putKey(keyOf("key "+strconv.Itoa(n), organization, 0))
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
	rotate := func(caller, times int) error {
		for n := range times {
			r := rotation(secret, fmt.Sprintf("%s-%d-%d", secret, caller, n), at(n))
			r.Grace = time.Hour
			if err := p.RotateKey(p.Context(), r); err != nil {
				return err
			}
			rotated.Add(1)
		}
		return nil
	}
	revoke := func() (err error) {
		defer close(revoked)
		if err := rotate(callers, 3); err != nil {
			return err
		}
		if _, err := p.RevokeKey(p.Context(), account.HashKey(secret), at(1)); err != nil {
			return err
		}
		then, err = p.Keys(p.Context(), organizationID)
		return err
	}
	p.allSucceed(together(callers+1, func(i int) error {
		if i == callers {
			return revoke()
		}
		err := rotate(i, times)
		if err == nil {
			<-revoked
			err = p.RotateKey(p.Context(), rotation(secret, fmt.Sprintf("%s-%d", secret, i), at(times)))
		}
		if err == nil {
			return errors.New("the key was rotated after it had been revoked")
		}
		if errors.Is(err, account.ErrRevokedKey) {
			return nil
		}
		return err
	}))
	require.Len(p, p.keys(organizationID), len(then), "a revoked key must make no new one")
	require.Len(p, then, 1+int(rotated.Load()), "every rotation makes one key")
	require.Equal(p, at(1), p.key(secret).RevokedAt)
}

// revocationOutlivesPuts puts a key again and again while another caller revokes it.
func revocationOutlivesPuts(p *probe) {
	p.putKey(keyOf("key", 0, 0))
	var stored [8]account.Key
	p.allSucceed(together(len(stored)+1, func(i int) error {
		if i == len(stored) {
			_, err := p.RevokeKey(p.Context(), account.HashKey("key"), at(1))
			return err
		}
		for n := range 20 {
			key := keyOf("key", 0, 0)
			key.Name = fmt.Sprintf("%d-%d", i, n)
			err := p.PutKey(p.Context(), key)
			if errors.Is(err, account.ErrRevokedKey) {
				grant, err := p.GrantByKey(p.Context(), key.Hash)
				stored[i] = grant.Key
				return err
			}
			if err != nil {
				return err
			}
		}
		return nil
	}))
	final := p.key("key")
	require.Equal(p, at(1), final.RevokedAt, "who puts a key does not bring it back")
	for _, key := range stored {
		if key.Hash == final.Hash {
			key.Scopes = orNil(key.Scopes)
			require.Equal(p, final, key, "who puts a revoked key changes nothing")
		}
	}
}

// oneRotationSucceeds rotates a key by many callers whose clocks differ, so that the
// moments come in any order. It is one key after the other, as few steps meet.
func oneRotationSucceeds(p *probe) {
	const callers = 16
	for n := range 4 {
		organization, secret := int64(n+1), "key "+strconv.Itoa(n)
		p.putOrganization(organization, strconv.Itoa(n))
		p.putKey(keyOf(secret, organization, 0))
		p.oneSucceeds(together(callers, func(i int) error {
			moment := at(i)
			if n%2 == 0 {
				moment = at(callers - i)
			}
			return p.RotateKey(p.Context(), rotation(secret, fmt.Sprintf("%s-%d", secret, i), moment))
		}), account.ErrRevokedKey)
		require.Len(p, p.keys(organization), 2, "the old key and a new one")
		require.False(p, p.key(secret).RevokedAt.IsZero())
	}
}

// noPutProlongs puts a key again and again, with ends that are later and without one,
// while other callers end it sooner. It is one key after the other, as few steps meet.
func noPutProlongs(p *probe) {
	const callers, times = 4, 10
	for n := range 16 {
		secret := "key " + strconv.Itoa(n)
		p.putKey(keyOf(secret, 0, 0))
		p.allSucceed(together(callers+1, func(i int) error {
			if i == callers {
				return p.endSooner(secret, n%2 == 0)
			}
			for m := range times {
				key := keyOf(secret, 0, 0)
				if m%2 == 0 {
					key.ExpiresAt = at(1000 + m)
				}
				if err := p.PutKey(p.Context(), key); err != nil {
					return err
				}
			}
			return nil
		}))
		require.Equal(p, at(5), p.key(secret).ExpiresAt, "who puts a key does not give it a longer life")
	}
}

// endSooner ends the key at 5 milliseconds, by a rotation or by another expiry.
func (p *probe) endSooner(secret string, rotated bool) error {
	if rotated {
		r := rotation(secret, "new "+secret, at(0))
		r.Grace = 5 * time.Millisecond
		return p.RotateKey(p.Context(), r)
	}
	_, err := p.ExpireKey(p.Context(), account.HashKey(secret), at(5))
	return err
}

func keyRaceChecks() []check {
	return []check{
		{"one of 16 rotations of a key without a grace period succeeds", oneRotationSucceeds},
		{"a key that ends sooner does so, however many put it with a later end", noPutProlongs},
		{"the earliest of several ends that are put stays", func(p *probe) {
			const puts = 32
			p.allSucceed(together(puts, func(i int) error {
				key := keyOf("key", 0, 0)
				key.ExpiresAt = at(1 + i*7%puts)
				return p.PutKey(p.Context(), key)
			}))
			require.Equal(p, at(1), p.key("key").ExpiresAt)
		}},
		{"a revoked key makes no new one, however many rotate it", revocationEndsRotations},
		{"a revoked key stays one, however many put it", revocationOutlivesPuts},
		{"a key that is revoked by several callers is revoked once", func(p *probe) {
			p.putKey(keyOf("key", 0, 0))
			keys := make([]account.Key, 8)
			p.allSucceed(together(len(keys), func(i int) (err error) {
				keys[i], err = p.RevokeKey(p.Context(), account.HashKey("key"), at(i+1))
				return err
			}))
			for _, key := range keys {
				require.Equal(p, p.key("key").RevokedAt, key.RevokedAt)
			}
		}},
		{"the latest of several uses stays", func(p *probe) {
			const uses = 32
			p.putKey(keyOf("key", 0, 0))
			p.allSucceed(together(uses, func(i int) error {
				return p.TouchKey(p.Context(), used("key", at(i*7%uses)))
			}))
			require.Equal(p, at(uses-1), p.key("key").LastUsedAt)
		}},
		{"steps on one key at the same time lose nothing", func(p *probe) {
			p.putKey(keyOf("key", 0, 0, account.ScopeReports))
			p.allSucceed(together(12, func(i int) (err error) {
				switch i % 3 {
				case 0:
					err = p.TouchKey(p.Context(), used("key", at(i+1)))
				case 1:
					_, err = p.ExpireKey(p.Context(), account.HashKey("key"), at(500))
				default:
					_, err = p.RevokeKey(p.Context(), account.HashKey("key"), at(600))
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
