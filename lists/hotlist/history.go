package hotlist

import (
	"slices"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
)

// change is a change of the status of an asset.
type change struct {
	// at is when it was recorded, in seconds.
	at       int64
	identity asset.Identity
}

// touched are the elements of lists that can have changed. They are sorted and different.
type touched struct {
	// hosts are those of the assets, and above are those above them.
	hosts, above, paths []string
}

func touchedBy(changes []change) touched {
	var t touched
	for _, c := range changes {
		hosts, path := lists.WalletEntries(c.identity)
		if len(hosts) > 0 {
			t.hosts = append(t.hosts, hosts[0])
			t.above = append(t.above, hosts...)
		}
		if path != "" {
			t.paths = append(t.paths, path)
		}
	}
	for _, texts := range []*[]string{&t.hosts, &t.above, &t.paths} {
		slices.Sort(*texts)
		*texts = slices.Compact(*texts)
	}
	return t
}
