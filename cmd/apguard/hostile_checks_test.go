package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/apguard/apguard/classify"
)

const checkBatchPath = "/asset/check/batch"

// checkAttacks returns attacks with contents that have as many covers, or as long ones, as
// possible.
func checkAttacks() []attack {
	const mib = 1 << 20
	return []attack{
		{name: "32 check batches of 4 MiB of deep paths", clients: 32, attempt: sendTo(checkBatchPath, checkBatch(4*mib, deepPath)), stores: true},
		{name: "32 check batches of 4 MiB of deep hosts", clients: 32, attempt: sendTo(checkBatchPath, checkBatch(4*mib, deepHost)), stores: true},
		{name: "32 check batches of 4 MiB of long queries", clients: 32, attempt: sendTo(checkBatchPath, checkBatch(4*mib, longQuery)), stores: true},
		{name: "32 check batches of 4 MiB of lying punycode", clients: 32, attempt: sendTo(checkBatchPath, checkBatch(4*mib, lyingPunycode))},
		{name: "128 check batches of 300 KB of deep hosts", clients: 128, attempt: sendTo(checkBatchPath, checkBatch(300_000, deepHost)), stores: true},
		{name: "128 checks of deep paths", clients: 128, attempt: checkDeepPath(), stores: true},
	}
}

// listAttacks returns attacks with lists of all assets, and with removals.
func listAttacks() []attack {
	return []attack{
		{name: "100 lists of assets", clients: 100, attempt: sendGet("/asset/list?limit=10000"), stores: true},
		{name: "100 lists of assets without a hit", clients: 100, attempt: sendGet("/asset/list?limit=10000&prefix=nowhere"), stores: true},
		{name: "100 exports", clients: 100, attempt: sendGet("/asset/export/eth-phishing-detect"), stores: true},
		{name: "100 slow readers of an export", clients: 100, attempt: readExportSlowly, stores: true},
		{name: "128 additions and removals of 1,000 assets", clients: 128, attempt: addAndRemove(), stores: true},
	}
}

func sendTo(path string, body []byte) func(context.Context, *attacker) {
	head := hostileHead(path, "Content-Length: "+strconv.Itoa(len(body))+"\r\n")
	return func(ctx context.Context, a *attacker) { a.send(ctx, head, body) }
}

func sendGet(path string) func(context.Context, *attacker) {
	head := hostileGet(path)
	return func(ctx context.Context, a *attacker) { a.send(ctx, head) }
}

// checkBatch returns a batch of at most that many bytes, and of 1,000 contents of the same
// length. The contents are numbered.
func checkBatch(size int, content func(number, size int) string) []byte {
	const contents = 1000
	all := make([]string, contents)
	for i := range all {
		all[i] = content(i, size/contents-len(`"",`))
	}
	body, _ := json.Marshal(map[string][]string{"contents": all}) // strings never fail
	return body
}

// deepPath returns a link of that many bytes in which every other one begins a segment.
func deepPath(number, size int) string {
	begin := fmt.Sprintf("https://deep%d.com", number)
	return begin + strings.Repeat("/a", (size-len(begin))/2)
}

// deepHost returns a link whose host has as many labels as fit into 253 bytes, and a path.
func deepHost(number, size int) string {
	end := fmt.Sprintf("deep%d.com", number)
	begin := "https://" + strings.Repeat("a.", 125-len(end)/2) + end
	return begin + "/" + strings.Repeat("b", max(size-len(begin)-1, 0))
}

// longQuery returns a link with a query and a route. Each cover with one of them is another text.
func longQuery(number, size int) string {
	begin := fmt.Sprintf("https://deep%d.com:8443/?", number)
	half := (size - len(begin) - len("#/")) / 2
	return begin + strings.Repeat("q", half) + "#/" + strings.Repeat("r", half)
}

// lyingPunycode returns a link with many labels whose punycode decodes to ASCII, or to nothing.
func lyingPunycode(number, size int) string {
	begin := "https://" + strings.Repeat("xn--a-.xn--0.", 19) + fmt.Sprintf("xn--%d.com/", number)
	return begin + strings.Repeat("b", max(size-len(begin), 0))
}

// checkDeepPath returns an attempt that checks another link of the maximum length each time.
func checkDeepPath() func(context.Context, *attacker) {
	var checked atomic.Int64
	return func(ctx context.Context, a *attacker) {
		body := []byte(`{"content":"` + deepPath(int(checked.Add(1)), classify.MaxContent) + `"}`)
		sendTo("/asset/check", body)(ctx, a)
	}
}

// addAndRemove returns an attempt that adds 1,000 assets and removes as many, most of which were
// added before.
func addAndRemove() func(context.Context, *attacker) {
	add := sendShortItems()
	var removed atomic.Int64
	return func(ctx context.Context, a *attacker) {
		add(ctx, a)
		const assets = 1000
		first := removed.Add(assets)
		ids := make([]string, assets)
		for i := range ids {
			ids[i] = strconv.FormatInt(first+int64(i), 10)
		}
		sendTo("/organization/assets/remove", []byte(`{"ids":[`+strings.Join(ids, ",")+`]}`))(ctx, a)
	}
}

// readExportSlowly reads an export with a small receive buffer, and a little faster than the
// server requires.
func readExportSlowly(ctx context.Context, a *attacker) {
	a.readSlowly(ctx, hostileGet("/asset/export/csv"))
}
