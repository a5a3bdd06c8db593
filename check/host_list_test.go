package check_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/storage/memory"
)

// hostStatuses is a list of host names without subdomains.
type hostStatuses map[string]asset.Status

func (hs hostStatuses) status(_ context.Context, host string) (asset.Status, error) {
	if status, ok := hs[host]; ok {
		return status, nil
	}
	return asset.StatusUnknown, nil
}

func TestHostList_Status(t *testing.T) {
	t.Parallel()
	hosts := hostStatuses{
		"evil.com": asset.StatusBlocked, "good.evil.com": asset.StatusAllowed, "xn--bcher-kva.example.org": asset.StatusBlocked,
		"203.0.113.7": asset.StatusBlocked, "[2001:db8::7]": asset.StatusBlocked, "thief.medium.com": asset.StatusBlocked,
		"co.uk": asset.StatusBlocked, "printer.local": asset.StatusBlocked, "github.com": asset.StatusBlocked, "": asset.StatusBlocked,
	}
	checks := check.NewService(memory.New(), check.Options{ExternalLists: check.ExternalLists{check.HostList("Hosts", hosts.status)}})
	for _, test := range []struct {
		reason, content string
		want            asset.Status
	}{
		{"the host", "evil.com", asset.StatusBlocked},
		{"a link on another port", "https://evil.com:8443/a?b#/c", asset.StatusBlocked},
		{"a subdomain", "a.login.evil.com", asset.StatusBlocked},
		{"a link to a subdomain", "https://login.evil.com/x", asset.StatusBlocked},
		{"an e-mail address", "bob@evil.com", asset.StatusBlocked},
		{"an e-mail address of a subdomain", "bob@mail.evil.com", asset.StatusBlocked},
		{"a link that only browsers open", "https:evil.com", asset.StatusBlocked},
		{"an internationalized name", "https://B\u00dccher.example.org/", asset.StatusBlocked},
		{"an IPv4 address", "http://203.0.113.7/x", asset.StatusBlocked},
		{"an IPv4 address mapped into IPv6", "http://[::ffff:203.0.113.7]/x", asset.StatusBlocked},
		{"an IPv6 address", "http://[2001:db8::7]:81/x", asset.StatusBlocked},
		{"a name that has a host", "https://thief.medium.com/story", asset.StatusBlocked},
		{"a host that no public name has", "http://printer.local/queue", asset.StatusBlocked},
		{"below an exempted subdomain", "https://www.good.evil.com/", asset.StatusUnknown},
		{"another host", "https://notevil.com", asset.StatusUnknown},
		{"below a public suffix", "https://shop.co.uk", asset.StatusUnknown},
		{"a site of an account on a host", "https://octocat.github.io/", asset.StatusUnknown},
		{"an address on a chain, which has no host", "0x52908400098527886E0F7030069857D2E4169EE7", asset.StatusUnknown},
	} {
		t.Run(test.reason, func(t *testing.T) {
			t.Parallel()
			verdict, err := checks.Check(t.Context(), test.content)
			require.NoError(t, err)
			require.Equal(t, test.want, verdict.Status)
		})
	}
}

func TestHostList_asksEachHostOnce(t *testing.T) {
	t.Parallel()
	var asked []string
	list := check.HostList("Hosts", func(_ context.Context, host string) (asset.Status, error) {
		asked = append(asked, host)
		return asset.StatusUnknown, nil
	})
	require.Equal(t, "Hosts", list.Name())
	result, err := classify.Classify("https://a.b.example.com:81/x/y?z")
	require.NoError(t, err)
	status, err := list.Status(t.Context(), result.Identity)
	require.NoError(t, err)
	require.Equal(t, asset.StatusUnknown, status)
	require.Equal(t, []string{"a.b.example.com", "b.example.com", "example.com"}, asked)
}

func TestHostList_failure(t *testing.T) {
	t.Parallel()
	errGone := errors.New("gone")
	for reason, answer := range map[string]struct {
		status asset.Status
		err    error
	}{
		"an error":          {"", errGone},
		"an invalid status": {"MAYBE", nil},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			asked := 0
			list := check.HostList("Hosts", func(context.Context, string) (asset.Status, error) {
				asked++
				return answer.status, answer.err
			})
			verdict, err := check.NewService(memory.New(), check.Options{ExternalLists: check.ExternalLists{list}}).Check(t.Context(), "https://a.example.com/x")
			require.NoError(t, err)
			require.Equal(t, []string{"Hosts"}, verdict.ListsFailed.Names())
			require.Equal(t, 1, asked, "a list that failed is not asked again")
			if answer.err != nil {
				require.ErrorIs(t, verdict.ListsFailed.Err(), errGone)
			}
		})
	}
}
