package allowlist_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/storage/memory"
)

func TestItem_ExpiresAt(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("", 3600)
	for reason, c := range map[string]struct {
		end  time.Time
		want error
	}{
		"no end":                          {time.Time{}, nil},
		"a millisecond later":             {noon.Add(time.Millisecond), nil},
		"later, in another time zone":     {noon.Add(time.Hour).In(zone), nil},
		"the last time":                   {time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC), nil},
		"now":                             {noon, allowlist.ErrInvalidExpiry},
		"later, in the same millisecond":  {noon.Add(time.Microsecond), allowlist.ErrInvalidExpiry},
		"the past":                        {noon.Add(-time.Second), allowlist.ErrInvalidExpiry},
		"the first nanosecond":            {time.Time{}.Add(1), allowlist.ErrInvalidExpiry},
		"the year 10000":                  {time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC), allowlist.ErrInvalidExpiry},
		"year 9999 only in its time zone": {time.Date(9999, 12, 31, 23, 59, 59, 0, time.FixedZone("", -3600)), allowlist.ErrInvalidExpiry},
	} {
		f := newFixture(t, allowlist.Options{})
		got := f.add(t, acme, allowlist.Item{Content: "https://a.example", ExpiresAt: c.end})[0]
		require.ErrorIs(t, got.Err, c.want, reason)
		if c.want == nil {
			require.Equal(t, step.TruncateTime(c.end), f.entries(t, acme)[0].ExpiresAt, reason)
			err := f.SetExpiry(t.Context(), allowlist.SetExpiryRequest{OrganizationID: acme, AssetID: got.AssetID, ExpiresAt: c.end})
			require.NoError(t, err, reason)
			continue
		}
		require.Empty(t, f.entries(t, acme), reason)
		err := f.SetExpiry(t.Context(), allowlist.SetExpiryRequest{OrganizationID: acme, AssetID: 1, ExpiresAt: c.end})
		require.EqualError(t, err, "invalid input: expiresAt: must be in the future, up to year 9999", reason)
	}
}

func TestSetExpiryRequest_Validate(t *testing.T) {
	t.Parallel()
	err := allowlist.SetExpiryRequest{ExpiresAt: noon}.Validate(noon)
	require.EqualError(t, err, "invalid input: organizationId: must be from 1 to 2^53-1; assetId: must be from 1 to 2^53-1; "+
		"expiresAt: must be in the future, up to year 9999")
	f := newFixture(t, allowlist.Options{})
	require.ErrorIs(t, f.SetExpiry(t.Context(), allowlist.SetExpiryRequest{OrganizationID: acme, AssetID: 1}), allowlist.ErrNotListed)
}

func TestService_Expire(t *testing.T) {
	t.Parallel()
	now := noon
	service := allowlist.NewService(accounttest.Organizations(t, memory.New(), 1, 2, 3), allowlist.Options{Clock: func() time.Time { return now }})
	items := numbered(allowlist.MaxItems)
	for i := range items {
		items[i].ExpiresAt = noon.Add(time.Hour)
	}
	for organization := range int64(3) {
		_, err := service.Add(t.Context(), allowlist.AddRequest{OrganizationID: organization + 1, Items: items})
		require.NoError(t, err)
	}
	now = noon.Add(time.Hour - 1)
	removed, err := service.Expire(t.Context())
	require.NoError(t, err)
	require.Zero(t, removed, "before the end")
	now = noon.Add(time.Hour)
	removed, err = service.Expire(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 3*allowlist.MaxItems, removed, "in several steps")
}

// A repeat has the same results after the end of an entry, and another end is another request.
func TestService_Add_repeatWithEnd(t *testing.T) {
	t.Parallel()
	now := noon
	service := allowlist.NewService(accounttest.Organizations(t, memory.New(), 1, 2), allowlist.Options{Clock: func() time.Time { return now }})
	req := allowlist.AddRequest{
		OrganizationID: acme, Idempotency: idempotency.Key{Text: "key"},
		Items: []allowlist.Item{
			{Content: "https://a.example", ExpiresAt: noon.Add(time.Hour)},
			{Content: "https://b.example", ExpiresAt: noon},
		},
	}
	first, err := service.Add(t.Context(), req)
	require.NoError(t, err)
	require.ErrorIs(t, first.Results[1].Err, allowlist.ErrInvalidExpiry)
	now = noon.Add(2 * time.Hour)
	again, err := service.Add(t.Context(), req)
	require.NoError(t, err)
	require.True(t, again.Replayed)
	require.Equal(t, first.Results, again.Results)
	req.Items[0].ExpiresAt = noon.Add(3 * time.Hour)
	_, err = service.Add(t.Context(), req)
	require.ErrorIs(t, err, idempotency.ErrReused)
}
