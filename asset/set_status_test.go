package asset_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/step"
)

func TestService_SetStatus(t *testing.T) {
	t.Parallel()
	f := newFixture()
	origin := asset.Origin{Cause: asset.CauseReview, Actor: 7, Reference: "ticket 12"}

	got, err := f.SetStatus(t.Context(), asset.SetStatusRequest{
		Identity: url("a"), Status: asset.StatusBlocked, Reason: asset.ReasonDrainer, Note: "Empties wallets", Origin: origin,
	})
	require.NoError(t, err)
	want := asset.Asset{ID: got.ID, Identity: url("a"), Status: asset.StatusBlocked}
	decision := asset.Decision{Status: asset.StatusBlocked, Reason: asset.ReasonDrainer, Note: "Empties wallets", Since: second(1), Origin: origin}
	require.Equal(t, asset.Updated{Asset: want, Decision: &decision}, got)
	require.True(t, asset.ValidID(got.ID))

	found, err := f.Get(t.Context(), url("a"))
	require.NoError(t, err)
	require.Equal(t, want, found)

	changes := f.changes(t, asset.ChangeFilter{})
	require.Len(t, changes, 1)
	require.Equal(t, asset.Change{
		ID: changes[0].ID, AssetID: got.ID, Type: asset.TypeURL, Content: "https://a.example",
		From: asset.StatusUnknown, To: asset.StatusBlocked, At: second(1), Origin: origin,
	}, changes[0], "the time has whole milliseconds")
	require.Equal(t, url("a"), changes[0].Identity())
}

func TestService_SetStatus_SameStatus(t *testing.T) {
	t.Parallel()
	f := newFixture()
	f.set(t, "a", asset.StatusAllowed)
	f.set(t, "a", asset.StatusAllowed)
	f.set(t, "b", asset.StatusUnknown)

	changes := f.changes(t, asset.ChangeFilter{})
	require.Len(t, changes, 1)
	require.Equal(t, asset.CauseManual, changes[0].Origin.Cause, "the default cause")
}

// What a request does not say of a decision with the same status stays.
func TestService_SetStatus_reason(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		before, then, want asset.Decision
		stores             bool
	}{
		"blocked without a reason": {
			asset.Decision{}, asset.Decision{Status: asset.StatusBlocked}, asset.Decision{Status: asset.StatusBlocked, Reason: asset.ReasonOther}, true,
		},
		"allowed without a reason": {
			asset.Decision{}, asset.Decision{Status: asset.StatusAllowed}, asset.Decision{Status: asset.StatusAllowed}, true,
		},
		"the same again": {
			asset.Decision{Status: asset.StatusBlocked, Reason: asset.ReasonScam, Note: "a"}, asset.Decision{Status: asset.StatusBlocked, Reason: asset.ReasonScam, Note: "a"},
			asset.Decision{Status: asset.StatusBlocked, Reason: asset.ReasonScam, Note: "a"}, false,
		},
		"the same status without a reason": {
			asset.Decision{Status: asset.StatusBlocked, Reason: asset.ReasonScam, Note: "a"}, asset.Decision{Status: asset.StatusBlocked},
			asset.Decision{Status: asset.StatusBlocked, Reason: asset.ReasonScam, Note: "a"}, false,
		},
		"another reason": {
			asset.Decision{Status: asset.StatusBlocked, Reason: asset.ReasonScam, Note: "a"}, asset.Decision{Status: asset.StatusBlocked, Reason: asset.ReasonSpam},
			asset.Decision{Status: asset.StatusBlocked, Reason: asset.ReasonSpam, Note: "a"}, true,
		},
		"a note without a reason": {
			asset.Decision{Status: asset.StatusBlocked, Reason: asset.ReasonScam}, asset.Decision{Status: asset.StatusBlocked, Note: "b"},
			asset.Decision{Status: asset.StatusBlocked, Reason: asset.ReasonScam, Note: "b"}, true,
		},
		"another status": {
			asset.Decision{Status: asset.StatusUnknown, Reason: asset.ReasonOther, Note: "a"}, asset.Decision{Status: asset.StatusAllowed},
			asset.Decision{Status: asset.StatusAllowed}, true,
		},
		"another note": {
			asset.Decision{Status: asset.StatusAllowed, Note: "a"}, asset.Decision{Status: asset.StatusAllowed, Note: "b"},
			asset.Decision{Status: asset.StatusAllowed, Note: "b"}, true,
		},
	} {
		f := newFixture()
		set := func(d asset.Decision) asset.Updated {
			updated, err := f.SetStatus(t.Context(), asset.SetStatusRequest{Identity: url("a"), Status: d.Status, Reason: d.Reason, Note: d.Note})
			require.NoError(t, err, reason)
			return updated
		}
		var before *asset.Decision
		if c.before.Status != "" {
			before = set(c.before).Decision
		}
		got := set(c.then)
		require.Equal(t, before, got.Previous, reason)
		require.Equal(t, c.want, asset.Decision{Status: got.Decision.Status, Reason: got.Decision.Reason, Note: got.Decision.Note}, reason)
		if c.stores {
			require.NotEqual(t, before, got.Decision, reason)
			require.Equal(t, before, got.Decision.Replaced, reason)
		} else {
			require.Equal(t, before, got.Decision, reason)
		}
		require.Len(t, f.changes(t, asset.ChangeFilter{}), 1, "%s: a reason is no change of the status", reason)
	}
}

// What a request does not say of the end and the review of a decision with the same status does not stay.
func TestService_SetStatus_times(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("", 3600)
	for reason, c := range map[string]struct {
		before, then asset.SetStatusRequest
		stores       bool
	}{
		"neither, as before":               {asset.SetStatusRequest{}, asset.SetStatusRequest{}, false},
		"an end":                           {asset.SetStatusRequest{}, asset.SetStatusRequest{ExpiresAt: second(60)}, true},
		"a review":                         {asset.SetStatusRequest{}, asset.SetStatusRequest{ReviewAt: second(60)}, true},
		"another end":                      {asset.SetStatusRequest{ExpiresAt: second(60)}, asset.SetStatusRequest{ExpiresAt: second(61)}, true},
		"another review":                   {asset.SetStatusRequest{ReviewAt: second(60)}, asset.SetStatusRequest{ReviewAt: second(59)}, true},
		"no end any more":                  {asset.SetStatusRequest{ExpiresAt: second(60)}, asset.SetStatusRequest{}, true},
		"no review any more":               {asset.SetStatusRequest{ReviewAt: second(60)}, asset.SetStatusRequest{}, true},
		"the same end in another zone":     {asset.SetStatusRequest{ExpiresAt: second(60)}, asset.SetStatusRequest{ExpiresAt: second(60).In(zone)}, false},
		"the same end, but for some nanos": {asset.SetStatusRequest{ExpiresAt: second(60)}, asset.SetStatusRequest{ExpiresAt: second(60).Add(7)}, false},
		"both, as before": {
			asset.SetStatusRequest{ExpiresAt: second(60), ReviewAt: second(50)}, asset.SetStatusRequest{ExpiresAt: second(60), ReviewAt: second(50)}, false,
		},
	} {
		f := newFixture()
		var last asset.Updated
		for _, req := range []asset.SetStatusRequest{c.before, c.then} {
			req.Identity, req.Status = url("a"), asset.StatusBlocked
			var err error
			last, err = f.SetStatus(t.Context(), req)
			require.NoError(t, err, reason)
			require.Equal(t, step.TruncateTime(req.ExpiresAt), last.Decision.ExpiresAt, reason)
			require.Equal(t, step.TruncateTime(req.ReviewAt), last.Decision.ReviewAt, reason)
		}
		if c.stores {
			require.Equal(t, last.Previous, last.Decision.Replaced, reason)
		} else {
			require.Equal(t, last.Previous, last.Decision, reason)
		}
		require.Len(t, f.changes(t, asset.ChangeFilter{}), 1, "%s: it is no change of the status", reason)
	}
}

func TestService_SetStatus_invalid(t *testing.T) {
	t.Parallel()
	service := asset.NewService(nil, asset.Options{}) // the store is not called
	_, err := service.SetStatus(t.Context(), asset.SetStatusRequest{Status: "FINE", ExpiresAt: second(0), Idempotency: idempotency.Key{Text: "k"}})
	require.EqualError(t, err, "invalid input: content: is required; status: must be UNKNOWN, ALLOWED or BLOCKED; "+
		"expiresAt: must be in the future, up to year 9999")
}

func TestService_SetStatus_invalidTimes(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		at    time.Time
		valid bool
	}{
		"the next millisecond":           {second(1).Add(time.Millisecond), true},
		"the last time":                  {time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC), true},
		"now":                            {second(1).Add(17 * time.Microsecond), false},
		"later, in the same millisecond": {second(1).Add(18 * time.Microsecond), false},
		"the past":                       {second(0), false},
		"the first nanosecond":           {time.Time{}.Add(1), false},
		"the year 10000":                 {time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC), false},
	} {
		for field, req := range map[string]asset.SetStatusRequest{"expiresAt": {ExpiresAt: c.at}, "reviewAt": {ReviewAt: c.at}} {
			f := newFixture()
			req.Identity, req.Status = url("a"), asset.StatusBlocked
			_, err := f.SetStatus(t.Context(), req)
			if c.valid {
				require.NoError(t, err, reason)
				continue
			}
			require.EqualError(t, err, "invalid input: "+field+": must be in the future, up to year 9999", reason)
			require.Empty(t, f.changes(t, asset.ChangeFilter{}), reason)
		}
	}
}

// A request that was valid can be repeated with its key when its times are past.
func TestService_SetStatus_repeatedLate(t *testing.T) {
	t.Parallel()
	f := newFixture()
	req := asset.SetStatusRequest{
		Identity: url("a"), Status: asset.StatusBlocked, ExpiresAt: second(3), ReviewAt: second(2), Idempotency: idempotency.Key{Text: "k"},
	}
	first, err := f.SetStatus(t.Context(), req)
	require.NoError(t, err)
	again, err := f.SetStatus(t.Context(), req)
	require.NoError(t, err)
	first.Replayed = true
	require.Equal(t, first, again)
	req.Idempotency.Text, req.Identity = "another", url("b")
	_, err = f.SetStatus(t.Context(), req)
	require.EqualError(t, err, "invalid input: expiresAt: must be in the future, up to year 9999; reviewAt: must be in the future, up to year 9999")
	_, err = f.Get(t.Context(), url("b"))
	require.ErrorIs(t, err, asset.ErrNotFound, "nothing is stored")
}

func TestSetStatusRequest_Validate(t *testing.T) {
	t.Parallel()
	valid := asset.SetStatusRequest{Identity: url("a"), Status: asset.StatusAllowed}
	require.NoError(t, valid.Validate())
	longest := valid
	longest.Origin.Reference, longest.Note = strings.Repeat("x", asset.MaxReference), strings.Repeat("x", asset.MaxNote)
	require.NoError(t, longest.Validate())
	f := newFixture()
	for reason, c := range map[string]struct {
		change func(*asset.SetStatusRequest)
		field  string
	}{
		"unknown type":             {func(r *asset.SetStatusRequest) { r.Identity.Type = "X" }, "type"},
		"no asset":                 {func(r *asset.SetStatusRequest) { r.Identity = asset.Identity{} }, "content"},
		"no canonical form":        {func(r *asset.SetStatusRequest) { r.Identity.Canonical = "" }, "content"},
		"canonical form with NUL":  {func(r *asset.SetStatusRequest) { r.Identity.Canonical = "a\x00" }, "content"},
		"no status":                {func(r *asset.SetStatusRequest) { r.Status = "" }, "status"},
		"unknown cause":            {func(r *asset.SetStatusRequest) { r.Origin.Cause = "WHIM" }, "cause"},
		"negative actor":           {func(r *asset.SetStatusRequest) { r.Origin.Actor = -1 }, "actor"},
		"reference is not UTF-8":   {func(r *asset.SetStatusRequest) { r.Origin.Reference = "\xff" }, "reference"},
		"unknown ifStatus":         {func(r *asset.SetStatusRequest) { r.IfStatus = "x" }, "ifStatus"},
		"key with a space":         {func(r *asset.SetStatusRequest) { r.Idempotency.Text = "a b" }, "Idempotency-Key"},
		"unknown reason":           {func(r *asset.SetStatusRequest) { r.Reason = "WHIM" }, "reason"},
		"reason of another status": {func(r *asset.SetStatusRequest) { r.Reason = asset.ReasonPhishing }, "reason"},
		"note with a line break":   {func(r *asset.SetStatusRequest) { r.Note = "a\nb" }, "note"},
		"note with a separator":    {func(r *asset.SetStatusRequest) { r.Note = "a\u2028b" }, "note"},
		"review at the end":        {func(r *asset.SetStatusRequest) { r.ExpiresAt, r.ReviewAt = second(99), second(99) }, "reviewAt"},
		"review after the end":     {func(r *asset.SetStatusRequest) { r.ExpiresAt, r.ReviewAt = second(98), second(99) }, "reviewAt"},
		"review in the last millisecond": {func(r *asset.SetStatusRequest) {
			r.ExpiresAt, r.ReviewAt = second(99).Add(2*time.Microsecond), second(99).Add(time.Microsecond)
		}, "reviewAt"},
		"note is not UTF-8":     {func(r *asset.SetStatusRequest) { r.Note = "\xff" }, "note"},
		"note is too long":      {func(r *asset.SetStatusRequest) { r.Note = strings.Repeat("x", asset.MaxNote+1) }, "note"},
		"reference is too long": {func(r *asset.SetStatusRequest) { r.Origin.Reference = strings.Repeat("x", asset.MaxReference+1) }, "reference"},
	} {
		req := valid
		c.change(&req)
		var input *asset.InputError
		require.ErrorAs(t, req.Validate(), &input, reason)
		require.Len(t, input.Issues, 1, reason)
		require.Equal(t, c.field, input.Issues[0].Field, reason)
		_, err := f.SetStatus(t.Context(), req)
		require.Equal(t, req.Validate(), err, reason)
	}
	_, err := f.Get(t.Context(), url("a"))
	require.ErrorIs(t, err, asset.ErrNotFound, "nothing was stored")
}

func TestService_SetStatus_ifStatus(t *testing.T) {
	t.Parallel()
	f := newFixture()
	set := func(status, ifStatus asset.Status) error {
		_, err := f.SetStatus(t.Context(), asset.SetStatusRequest{Identity: url("a"), Status: status, IfStatus: ifStatus})
		return err
	}
	require.ErrorIs(t, set(asset.StatusBlocked, asset.StatusAllowed), asset.ErrChanged, "an asset that does not exist is UNKNOWN")
	_, err := f.Get(t.Context(), url("a"))
	require.ErrorIs(t, err, asset.ErrNotFound)
	require.NoError(t, set(asset.StatusBlocked, asset.StatusUnknown))
	require.ErrorIs(t, set(asset.StatusAllowed, asset.StatusUnknown), asset.ErrChanged)
	require.NoError(t, set(asset.StatusAllowed, ""), "the caller does not ask")
	require.Len(t, f.changes(t, asset.ChangeFilter{}), 2)
}

func TestService_SetStatus_retry(t *testing.T) {
	t.Parallel()
	f := newFixture()
	req := asset.SetStatusRequest{
		Identity: url("a"), Status: asset.StatusBlocked, IfStatus: asset.StatusUnknown,
		Origin: asset.Origin{Actor: 7}, Idempotency: idempotency.Key{Text: "k"},
	}
	first, err := f.SetStatus(t.Context(), req)
	require.NoError(t, err)
	f.set(t, "a", asset.StatusAllowed)
	again, err := f.SetStatus(t.Context(), req)
	require.NoError(t, err)
	first.Replayed = true
	require.Equal(t, first, again)
	require.Len(t, f.changes(t, asset.ChangeFilter{}), 2)

	for field, change := range map[string]func(*asset.SetStatusRequest){
		"content":   func(r *asset.SetStatusRequest) { r.Identity = url("b") },
		"status":    func(r *asset.SetStatusRequest) { r.Status = asset.StatusUnknown },
		"ifStatus":  func(r *asset.SetStatusRequest) { r.IfStatus = "" },
		"reference": func(r *asset.SetStatusRequest) { r.Origin.Reference = "x" },
		"reason":    func(r *asset.SetStatusRequest) { r.Reason = asset.ReasonScam },
		"note":      func(r *asset.SetStatusRequest) { r.Note = "x" },
	} {
		other := req
		change(&other)
		_, err = f.SetStatus(t.Context(), other)
		require.ErrorIs(t, err, idempotency.ErrReused, field)
	}
	req.Origin.Actor = 8
	other, err := f.SetStatus(t.Context(), req)
	require.ErrorIs(t, err, asset.ErrChanged, "another caller's key, and not UNKNOWN any more: %v", other)
}
