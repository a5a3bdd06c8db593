package check

import (
	"context"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// HostList returns an external list of a function that knows host names. The function returns the
// status of the host itself. HostList asks it for the hosts that cover an asset, the most specific
// first, until one decides. A host decides as the PAGE of the host would in [Decide]: evil.com
// decides for its subdomains, for all links to them, on every port, and for e-mail addresses,
// but a public suffix such as co.uk only for itself.
//
// Hosts are in canonical form: in lower case, with internationalized names in Punycode and IPv6
// addresses in brackets. The function must be safe for concurrent use. If it returns an error or a
// status that is not valid, the list has failed.
func HostList(name string, status func(ctx context.Context, host string) (asset.Status, error)) ExternalList {
	return hostList{name, status}
}

type hostList struct {
	name   string
	status func(ctx context.Context, host string) (asset.Status, error)
}

// Name implements [ExternalList].
func (l hostList) Name() string { return l.name }

// Status implements [ExternalList].
func (l hostList) Status(ctx context.Context, identity asset.Identity) (asset.Status, error) {
	var (
		asked  string // the host that status and failed belong to
		status asset.Status
		failed error
	)
	verdict := Decide(classify.Covering(identity), func(cover asset.Identity) (asset.Known, bool) {
		host, _, rest := classify.SplitHost(cover)
		if host == "" || rest != "" || failed != nil {
			return asset.Known{}, false
		}
		if host != asked { // the forms of a host follow each other
			asked = host
			status, failed = l.status(ctx, host)
			if failed == nil && !status.Valid() {
				failed = invalidStatus(status)
			}
		}
		return asset.Known{Asset: asset.Asset{Identity: cover, Status: status}}, true
	}, nil)
	return verdict.Status, failed
}
