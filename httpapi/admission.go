package httpapi

import (
	"context"
	"errors"
	"net/netip"
	"slices"

	"github.com/apguard/apguard/httpapi/limit"
)

// admit asks every Admission. The caller must call releaseAll in any case.
func admit(ctx context.Context, admissions []limit.Admission, req limit.Request) (releases []func(), err error) {
	for _, admission := range admissions {
		release, err := admission.Admit(ctx, req)
		if err != nil {
			return releases, limitOrOpaque(limit.Cause(ctx, err))
		}
		if release != nil {
			releases = append(releases, release)
		}
	}
	return releases, nil
}

func releaseAll(releases []func()) {
	for _, release := range slices.Backward(releases) {
		release()
	}
}

// limitOrOpaque hides what an error of the host application matches, unless it is a limit.
func limitOrOpaque(err error) error {
	var refusal *limit.Error
	if errors.As(err, &refusal) {
		return refusal
	}
	return opaqueError{err}
}

// noFailures allows everything.
type noFailures struct{}

func (noFailures) Allow(context.Context, netip.Addr) error { return nil }
func (noFailures) Failed(context.Context, netip.Addr)      {}
