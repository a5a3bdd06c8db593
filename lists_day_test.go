package apguard_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/storage/sqlite"
)

// dayHosts are entries of the blacklist of eth-phishing-detect.
var dayHosts = [...]string{
	"azukishop.live", "nfts-mints.com", "moonbirds.tv", "moonbirds.gifts", "free-azuki.com", "bscbnb.vip",
	"ethtokens.xyz", "illuviumc.com", "veefreends.com", "defiuni.network", "tgovx-conn.com", "illuiumx.com",
	"block-sync.live", "pooccoin-app.tk", "minitabe.com", "pinksale.zone", "everdome.in", "multi-chain.io",
	"itheum.network", "nanopassnft.co", "ethpool365.com", "azuki-beanz.com", "vesunture.com", "metamaskapp.io",
	"collablanq.cc", "covid19-sys.io", "callabland.com", "yaaar.in", "dexlaunchpad.io", "ueswap.cloud",
	"bnbfame.io", "alphakongs.co", "joinmoon.net", "azuki-drop.com", "akkswap.io", "syncnpay.com",
}

// listsDay is a day with two lists of twelve hosts, each of which is synced at the beginning of each hour. One moves up
// the hosts from 0 to 11 to 23 to 34, and the other one down from 24 to 35 to 1 to 12.
type listsDay struct {
	*apguard.Guard
	t   *testing.T
	now time.Time
}

func (d *listsDay) sync(hour int) {
	d.t.Helper()
	up := strings.Join(dayHosts[hour:hour+12], "\n")
	down, err := json.Marshal(map[string]any{
		"version": 2, "tolerance": 2, "fuzzylist": []string{}, "whitelist": []string{}, "blacklist": dayHosts[24-hour : 36-hour],
	})
	require.NoError(d.t, err)
	for name, file := range map[string]string{"up": up, "down": string(down)} {
		result, err := d.Lists.Sync(d.t.Context(), lists.SyncRequest{Name: name, File: strings.NewReader(file)})
		require.NoError(d.t, err)
		want := [3]int{1, 1, 11}
		if hour == 0 {
			want = [3]int{12, 0, 0}
		}
		require.Equal(d.t, want, [3]int{result.Added, result.Withdrawn, result.Kept}, "%s at %d", name, hour)
	}
}

func (d *listsDay) allow(organization int64, host int) {
	d.t.Helper()
	_, err := d.Allowlist.Add(d.t.Context(), allowlist.AddRequest{
		OrganizationID: organization, Items: []allowlist.Item{{Content: dayHosts[host]}},
	})
	require.NoError(d.t, err)
}

func (d *listsDay) acceptDispute(host int) {
	d.t.Helper()
	filed, err := d.Disputes.Create(d.t.Context(), dispute.CreateRequest{Content: dayHosts[host], Email: "ada@example.com"})
	require.NoError(d.t, err)
	_, err = d.DisputeQueue.Resolve(d.t.Context(), dispute.ResolveRequest{DisputeID: filed.Dispute.ID, Reason: "It was a mistake.", State: dispute.StateAccepted, AssetStatus: asset.StatusUnknown})
	require.NoError(d.t, err)
}

// held says who holds what on a host, the one that counts first.
func (d *listsDay) held(host int) string {
	d.t.Helper()
	explanation, err := d.Explain(d.t.Context(), dayHosts[host])
	require.NoError(d.t, err)
	var texts []string
	for i, one := range explanation.Decisions {
		require.Equal(d.t, i == 0, one.Counts)
		who := string(one.Source) + one.List
		if one.OrganizationID != 0 {
			who += fmt.Sprint(one.OrganizationID)
		}
		texts = append(texts, fmt.Sprintf("%s %s %d:%02d", who, one.Status, one.Since.Hour(), one.Since.Minute()))
	}
	return string(explanation.Asset.Status) + ": " + strings.Join(texts, ", ")
}

// The expectations were computed by hand from the rules.
func TestGuard_lists_day(t *testing.T) {
	t.Parallel()
	for name, store := range map[string]storage.Store{"memory": memory.New(), "sqlite": openSQLite(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := &listsDay{t: t}
			d.Guard = apguard.New(accounttest.Organizations(t, store, 1, 2), apguard.Options{Clock: func() time.Time { return d.now }})
			for _, list := range []lists.List{
				{Name: "up", Format: lists.Domains, Reason: asset.ReasonDrainer},
				{Name: "down", Format: lists.PhishingDetect, Reason: asset.ReasonPhishing},
			} {
				_, err := d.Lists.Add(t.Context(), list)
				require.NoError(t, err)
			}
			events := map[int]func(){ // half past the hour
				3:  func() { setStatus(t, d.Guard, dayHosts[2], asset.StatusBlocked) },
				6:  func() { d.acceptDispute(10) },
				8:  func() { d.allow(1, 30) },
				10: func() { d.allow(1, 25) },
				12: func() { d.allow(1, 5) },
				20: func() { d.allow(2, 5) },
			}
			for hour := range 24 {
				d.now = time.Date(2025, time.January, 5, hour, 0, 0, 0, time.UTC)
				d.sync(hour)
				if event := events[hour]; event != nil {
					d.now = d.now.Add(30 * time.Minute)
					event()
				}
			}
			blocked := []string{}
			for listed, err := range d.Assets.All(t.Context(), asset.Filter{Status: asset.StatusBlocked}, 0) {
				require.NoError(t, err)
				blocked = append(blocked, listed.Canonical)
			}
			want := append([]string{dayHosts[1], dayHosts[2], dayHosts[3], dayHosts[4]}, dayHosts[6:10]...)
			want = append(append(want, dayHosts[11], dayHosts[12]), dayHosts[23:35]...)
			require.ElementsMatch(t, want, blocked)
			for host, want := range map[int]string{
				0:  "UNKNOWN: ",
				1:  "BLOCKED: LISTdown BLOCKED 23:00",
				2:  "BLOCKED: OPERATOR BLOCKED 3:30, LISTdown BLOCKED 22:00",
				5:  "ALLOWED: ORGANIZATION2 ALLOWED 20:30, LISTdown BLOCKED 19:00, ORGANIZATION1 ALLOWED 12:30",
				10: "UNKNOWN: OPERATOR UNKNOWN 6:30, LISTdown BLOCKED 14:00",
				20: "UNKNOWN: ",
				25: "BLOCKED: LISTup BLOCKED 14:00, ORGANIZATION1 ALLOWED 10:30",
				30: "BLOCKED: LISTup BLOCKED 19:00, ORGANIZATION1 ALLOWED 8:30",
				35: "UNKNOWN: ",
			} {
				require.Equal(t, want, d.held(host), dayHosts[host])
			}

			// What the operators blocked stays blocked by the list when they take it back, and what they have freed
			// is blocked again.
			for _, host := range []int{2, 10} {
				_, err := d.Assets.Withdraw(t.Context(), asset.WithdrawRequest{Identity: asset.Identity{Type: asset.TypePage, Canonical: dayHosts[host]}})
				require.NoError(t, err)
			}
			require.Equal(t, "BLOCKED: LISTdown BLOCKED 22:00", d.held(2))
			require.Equal(t, "BLOCKED: LISTdown BLOCKED 14:00", d.held(10))
			require.NoError(t, d.Lists.Remove(t.Context(), "down", 0))
			require.Equal(t, "UNKNOWN: ", d.held(2))
			require.Equal(t, "ALLOWED: ORGANIZATION2 ALLOWED 20:30, ORGANIZATION1 ALLOWED 12:30", d.held(5))
		})
	}
}

func openSQLite(t *testing.T) storage.Store {
	t.Helper()
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "assets.db"), sqlite.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	return store
}
