package storagetest

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/step"
)

// The sizes of the items of a list, by page.
const (
	half  = step.MaxPageBytes / 2
	small = 1000
)

func pagesByBytes() [][]int {
	return [][]int{
		{half, half},                // at the bound
		{half, half - 1},            // one below
		{half},                      // the next one would be one above
		{half + 1},                  // the next one is larger than the bound
		{step.MaxPageBytes + small}, // alone
		{small, step.MaxPageBytes - 2*small, small},
		{step.MaxPageBytes}, // the last page is at the bound
	}
}

// requirePagesByBytes adds items with the sizes of pagesByBytes, and requires a list to have
// these pages. The function add adds items in the order of the list.
func requirePagesByBytes[T step.PageItem](p *probe, add func(sizes []int), read func(last T) step.Page[T]) {
	p.Helper()
	add(slices.Concat(pagesByBytes()...))
	require.Equal(p, pagesByBytes(), sizesByPage(p, read), "the sizes of the items of each page")
}

// sizesByPage returns the sizes of the items of each page of a list.
func sizesByPage[T step.PageItem](p *probe, read func(last T) step.Page[T]) [][]int {
	p.Helper()
	list := pages(p, noLimit, read)
	sizes := make([][]int, len(list))
	for i, page := range list {
		for _, item := range page {
			sizes[i] = append(sizes[i], item.PageBytes())
		}
	}
	return sizes
}

// filler returns a text that makes an item as large as size.
func filler(item step.PageItem, size int) string {
	return strings.Repeat("f", size-item.PageBytes())
}

// blockSized blocks assets, each of which makes a change of that size.
func (p *probe) blockSized(sizes []int) {
	p.Helper()
	for i, size := range sizes {
		identity := site(i)
		identity.Canonical += filler(asset.Change{Content: identity.Canonical}, size)
		p.set(identity, asset.StatusBlocked, at(i))
	}
}

func organizationPageChecks() []requirement {
	return []requirement{{"a page of organizations is bounded by bytes", func(p *probe) {
		requirePagesByBytes(p, func(sizes []int) {
			for i, size := range sizes {
				o := account.Organization{ID: int64(i + 1), Slug: strconv.Itoa(i)}
				o.Name = filler(o, size)
				require.NoError(p, p.PutOrganization(p.Context(), o, audit.Entry{}))
			}
		}, func(last account.Organization) step.Page[account.Organization] {
			return p.organizationPage(last.ID, noLimit)
		})
	}}}
}

func changelogPageChecks() []requirement {
	return []requirement{
		{"a page of the changelog is bounded by bytes", func(p *probe) {
			requirePagesByBytes(p, func(sizes []int) {
				slices.Reverse(sizes) // newest first
				p.blockSized(sizes)
			}, func(last asset.Change) step.Page[asset.Change] {
				return p.changePage(asset.ChangeFilter{}, cursorAfter(last), noLimit)
			})
		}},
		{"2,000 changes of 8 KB are complete", needs("AddToAllowlist", func(p *probe) {
			p.addLong(1, 2000)
			require.Len(p, p.changesByPages(asset.ChangeFilter{}, asset.MaxLimit), 2000)
		})},
	}
}

// addLong adds assets with contents of 8 KB.
func (p *probe) addLong(organizationID int64, count int) {
	p.Helper()
	for numbers := range slices.Chunk(numbersTo(count), allowlist.MaxItems) {
		cmd := addCommand(organizationID, numbers...)
		for i := range cmd.Entries {
			c := &cmd.Entries[i]
			c.Asset.Canonical += strings.Repeat("f", 8<<10-len(c.Asset.Canonical))
			c.Content = c.Asset.Canonical
		}
		p.add(cmd)
	}
}

func feedPageChecks() []requirement {
	return []requirement{
		{"a page of the feed is bounded by bytes", func(p *probe) {
			requirePagesByBytes(p, p.blockSized, func(last asset.FeedEntry) step.Page[asset.FeedEntry] {
				return p.feedPage(last.Cursor, noLimit)
			})
		}},
		{"2,000 entries of 8 KB are complete", needs("AddToAllowlist", func(p *probe) {
			p.addLong(1, 2000)
			require.Len(p, p.feed(asset.FeedCursor{}, asset.MaxLimit), 2000)
		})},
	}
}

func allowlistPageChecks() []requirement {
	return []requirement{
		{"a page of entries is bounded by bytes", func(p *probe) {
			requirePagesByBytes(p, func(sizes []int) {
				for i, size := range sizes {
					cmd := addCommand(1, i)
					entry := &cmd.Entries[0]
					entry.Description = filler(*entry, size)
					p.add(cmd)
				}
			}, func(last allowlist.Entry) step.Page[allowlist.Entry] {
				return p.entriesAfter(1, last.Asset.ID, noLimit)
			})
		}},
		{"2,000 entries of 8 KB are complete", func(p *probe) {
			p.addLong(1, 2000)
			require.Len(p, p.entries(1), 2000)
		}},
	}
}

func disputePageChecks() []requirement {
	return []requirement{
		{"a page of disputes is bounded by bytes", func(p *probe) { p.requireDisputePages(false) }},
		{"a page of disputes is bounded by bytes, oldest first", func(p *probe) { p.requireDisputePages(true) }},
	}
}

func (p *probe) requireDisputePages(oldestFirst bool) {
	p.Helper()
	requirePagesByBytes(p, func(sizes []int) {
		if !oldestFirst {
			slices.Reverse(sizes)
		}
		for i, size := range sizes {
			d := registeringCommand(i, "ada@acme.example")
			d.At = at(i)
			d.Content += filler(dispute.Dispute{Content: d.Content, Email: d.Email}, size)
			d.Description = "lists omit it"
			p.dispute(d)
		}
	}, func(last dispute.Dispute) step.Page[dispute.Dispute] {
		req := dispute.ListRequest{OldestFirst: oldestFirst, Limit: noLimit}
		if last.ID != 0 {
			req.Cursor = last.Cursor()
		}
		return p.disputePage(req)
	})
}

func reportPageChecks() []requirement {
	return []requirement{
		{"a page of reports is bounded by the bytes of descriptions", func(p *probe) {
			p.requireReportPages(func(cmd *report.FileCommand, fill string) { cmd.Description = fill })
		}},
		{"a page of reports is bounded by the bytes of proposals", func(p *probe) {
			p.requireReportPages(func(cmd *report.FileCommand, fill string) {
				// The texts of the proposals are the only ones of a report that is not small.
				last := &cmd.Proposals[len(cmd.Proposals)-1]
				last.Content += fill
			})
		}},
	}
}

// requireReportPages requires a list of reports to be bounded by bytes. The function add adds
// a text to a report.
func (p *probe) requireReportPages(add func(cmd *report.FileCommand, fill string)) {
	p.Helper()
	req := report.ListRequest{Scope: report.InOrganization(1), Limit: noLimit}
	requirePagesByBytes(p, func(sizes []int) {
		for i, size := range slices.Backward(sizes) {
			cmd := fileCommand("report", 2*i, 2*i+1)
			add(&cmd, filler(cmd.Report(), size))
			p.file(cmd)
		}
	}, func(last report.Report) step.Page[report.Report] {
		req.Cursor = last.ID
		page := p.reportPage(req)
		return step.Page[report.Report]{Items: page.Reports, More: page.NextCursor != 0}
	})
}

func reviewPageChecks() []requirement {
	return []requirement{{"a page of reviews is bounded by bytes", func(p *probe) {
		// No proposal has the pages of pagesByBytes, because of report.MaxTotalReviewBytes.
		empty := report.Review{}.PageBytes()
		for _, want := range [][][]int{
			{{half, half}, {empty}},                         // at the bound
			{{half, half - empty}, {empty + 1}},             // the next one would be one above
			{{half, half - 2*empty, 2 * empty}},             // the last page is at the bound
			{{empty}, {step.MaxPageBytes + empty}, {empty}}, // alone
		} {
			proposal := p.newProposal()
			for i, size := range slices.Concat(want...) {
				review := reviewOf(proposal, report.ReviewSkip, i)
				review.Comment = filler(review, size)
				p.review(review)
			}
			require.Equal(p, want, sizesByPage(p, func(last report.Review) step.Page[report.Review] {
				return p.reviewsAfter(proposal.ID, last.ID, noLimit)
			}), "the sizes of the items of each page")
		}
	}}}
}
