package storagetest

import (
	"context"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
)

// invalidTexts are texts that a store need not support: with NUL or invalid UTF-8. The
// services must reject them.
var invalidTexts = [...]string{
	"\x00",
	"\x00text",
	"te\x00xt",
	"text\x00",
	"\xff",
	"te\xc3xt",         // a truncated character
	"text\xf0\x9f\x98", // a truncated character at the end
	"\xc0\x80",         // NUL in two bytes
	"\xed\xa0\x80",     // half a surrogate pair
	"\xf4\x90\x80\x80", // behind the last character
}

// textField is a text field of a request to a service.
type textField struct {
	name string
	want error
	// submit calls the service with a request that is valid except for the text.
	submit func(p *probe, text string) error
}

func serviceChecks() []requirement {
	return []requirement{
		{"accounts reject invalid texts", rejectsInvalidTexts(accountTextFields())},
		{"assets reject invalid texts", rejectsInvalidTexts(assetTextFields())},
		{"allowlists reject invalid texts", rejectsInvalidTexts(allowlistTextFields())},
		{"disputes reject invalid texts", rejectsInvalidTexts(disputeTextFields())},
		{"dispute queues reject invalid texts", rejectsInvalidTexts(disputeQueueTextFields())},
		{"reports reject invalid texts", rejectsInvalidTexts(reportTextFields())},
		{"seeds reject invalid texts", rejectsInvalidTexts(seedTextFields())},
		{"an invalid slug is ErrOrganizationNotFound", func(p *probe) {
			for _, text := range invalidTexts {
				_, err := account.NewService(p.Store, account.Options{}).OrganizationBySlug(p.Context(), text)
				require.ErrorIs(p, err, account.ErrOrganizationNotFound, "slug %q", text)
			}
		}},
	}
}

// rejectsInvalidTexts tests that each field rejects invalid texts, that nothing is stored
// then, and that a valid text is not rejected.
func rejectsInvalidTexts(fields []textField) func(p *probe) {
	return func(p *probe) {
		for _, field := range fields {
			for _, text := range invalidTexts {
				require.ErrorIs(p, field.submit(p, text), field.want, "invalid %s %q", field.name, text)
			}
			require.NoError(p, p.Import(p.Context(), storage.Seed{}), "the store must be empty after each %s was rejected", field.name)
		}
		for _, field := range fields {
			require.NotErrorIs(p, field.submit(p, "text"), field.want, "valid %s", field.name)
		}
	}
}

func accountTextFields() []textField {
	return []textField{
		{"slug", asset.ErrInvalid, func(p *probe, text string) error {
			return account.NewService(p.Store, account.Options{}).PutOrganization(p.Context(), account.Organization{ID: 1, Slug: text})
		}},
		{"name of an organization", asset.ErrInvalid, func(p *probe, text string) error {
			return account.NewService(p.Store, account.Options{}).PutOrganization(p.Context(), account.Organization{ID: 1, Slug: "acme", Name: text})
		}},
		{"name of a group", asset.ErrInvalid, func(p *probe, text string) error {
			_, err := account.NewService(p.Store, account.Options{}).PutGroup(p.Context(), account.Group{OrganizationID: 1, Name: text})
			return err
		}},
		{"name of a user", asset.ErrInvalid, func(p *probe, text string) error {
			return account.NewService(p.Store, account.Options{}).PutUser(p.Context(), account.User{ID: 1, FullName: text})
		}},
		{"address of a user", asset.ErrInvalid, func(p *probe, text string) error {
			return account.NewService(p.Store, account.Options{}).PutUser(p.Context(), account.User{ID: 1, Email: text})
		}},
		{"key", asset.ErrInvalid, func(p *probe, text string) error {
			return p.keysAt(at(0)).Put(p.Context(), text, account.KeyRequest{})
		}},
		{"name of a key", asset.ErrInvalid, func(p *probe, text string) error {
			return p.keysAt(at(0)).Put(p.Context(), "key", account.KeyRequest{Name: text})
		}},
		{"name of a new key", asset.ErrInvalid, func(p *probe, text string) error {
			_, err := p.keysAt(at(0)).Create(p.Context(), account.KeyRequest{Name: text})
			return err
		}},
	}
}

func assetTextFields() []textField {
	set := func(p *probe, change func(*asset.SetStatusRequest)) error {
		req := asset.SetStatusRequest{Identity: site(1), Status: asset.StatusBlocked}
		change(&req)
		_, err := asset.NewService(p.Store, asset.Options{}).SetStatus(p.Context(), req)
		return err
	}
	return []textField{
		{"canonical form", asset.ErrInvalid, func(p *probe, text string) error {
			return set(p, func(req *asset.SetStatusRequest) { req.Identity.Canonical = text })
		}},
		{"reference", asset.ErrInvalid, func(p *probe, text string) error {
			return set(p, func(req *asset.SetStatusRequest) { req.Origin.Reference = text })
		}},
	}
}

func allowlistTextFields() []textField {
	add := func(p *probe, item allowlist.Item) error {
		_, err := allowlist.NewService(p.Store, allowlist.Options{}).Add(p.Context(), allowlist.AddRequest{
			OrganizationID: 1,
			Items:          []allowlist.Item{item},
		})
		return err
	}
	return []textField{
		{"name", asset.ErrInvalid, func(p *probe, text string) error {
			return add(p, allowlist.Item{Content: "https://site.example", Name: text})
		}},
		{"description", asset.ErrInvalid, func(p *probe, text string) error {
			return add(p, allowlist.Item{Content: "https://site.example", Description: text})
		}},
	}
}

// blockEverything is an external list that blocks every asset.
type blockEverything struct{}

func (blockEverything) Name() string { return "everything" }

func (blockEverything) Status(context.Context, asset.Identity) (asset.Status, error) {
	return asset.StatusBlocked, nil
}

func disputeTextFields() []textField {
	create := func(p *probe, change func(*dispute.CreateRequest)) error {
		req := dispute.CreateRequest{Content: "https://site.example", Email: "ada@acme.example"}
		change(&req)
		service := dispute.NewService(p.Store, dispute.Options{ExternalLists: check.ExternalLists{blockEverything{}}})
		_, err := service.Create(p.Context(), req)
		return err
	}
	return []textField{
		{"content", asset.ErrInvalid, func(p *probe, text string) error {
			return create(p, func(req *dispute.CreateRequest) { req.Content = "https://site.example/" + text })
		}},
		{"address", asset.ErrInvalid, func(p *probe, text string) error {
			return create(p, func(req *dispute.CreateRequest) { req.Email = text + "@acme.example" })
		}},
		{"host of an address", asset.ErrInvalid, func(p *probe, text string) error {
			return create(p, func(req *dispute.CreateRequest) { req.Email = "ada@" + text + ".example" })
		}},
		{"address of the account", asset.ErrInvalid, func(p *probe, text string) error {
			return create(p, func(req *dispute.CreateRequest) { req.Email, req.AccountEmail = "", text+"@acme.example" })
		}},
		{"description", asset.ErrInvalid, func(p *probe, text string) error {
			return create(p, func(req *dispute.CreateRequest) { req.Description = text })
		}},
	}
}

func disputeQueueTextFields() []textField {
	queue := func(p *probe) *dispute.QueueService { return dispute.NewQueueService(p.Store, dispute.QueueOptions{}) }
	list := func(p *probe, filter dispute.Filter) error {
		_, err := queue(p).List(p.Context(), dispute.ListRequest{Filter: filter, Limit: 1})
		return err
	}
	return []textField{
		{"reason of a review", asset.ErrInvalid, func(p *probe, text string) error {
			_, err := queue(p).StartReview(p.Context(), dispute.TransitionRequest{DisputeID: 1, Reason: text})
			return err
		}},
		{"reason of a decision", asset.ErrInvalid, func(p *probe, text string) error {
			_, err := queue(p).Resolve(p.Context(), dispute.ResolveRequest{DisputeID: 1, State: dispute.StateRejected, Reason: text})
			return err
		}},
		{"note", asset.ErrInvalid, func(p *probe, text string) error {
			_, err := queue(p).AddNote(p.Context(), dispute.AddNoteRequest{DisputeID: 1, Text: text})
			return err
		}},
		{"address of a list", asset.ErrInvalid, func(p *probe, text string) error {
			return list(p, dispute.Filter{Email: text})
		}},
		{"asset of a list", asset.ErrInvalid, func(p *probe, text string) error {
			return list(p, dispute.Filter{Identity: asset.Identity{Type: asset.TypeURL, Canonical: text}})
		}},
	}
}

func reportTextFields() []textField {
	file := func(p *probe, req report.FileRequest) error {
		req.OrganizationID = 1
		_, err := report.NewService(p.Store, report.Options{}).File(p.Context(), req)
		return err
	}
	list := func(p *probe, filter report.Filter) error {
		_, err := report.NewService(p.Store, report.Options{}).List(p.Context(), report.ListRequest{Scope: report.InOrganization(1), Filter: filter})
		return err
	}
	return []textField{
		{"title", asset.ErrInvalid, func(p *probe, text string) error {
			return file(p, report.FileRequest{Title: text})
		}},
		{"description", asset.ErrInvalid, func(p *probe, text string) error {
			return file(p, report.FileRequest{Description: text})
		}},
		{"content of a proposal", asset.ErrInvalid, func(p *probe, text string) error {
			return file(p, report.FileRequest{Proposals: []report.ProposalRequest{{
				Content:        "https://site.example/" + text,
				ProposedStatus: asset.StatusBlocked,
			}}})
		}},
		{"search", asset.ErrInvalid, func(p *probe, text string) error {
			return list(p, report.Filter{SearchQuery: text})
		}},
		{"search for a reporter", asset.ErrInvalid, func(p *probe, text string) error {
			return list(p, report.Filter{ReporterQuery: text})
		}},
	}
}

func seedTextFields() []textField {
	in := func(name string, seed func(text string) storage.Seed) textField {
		return textField{name, asset.ErrInvalid, func(p *probe, text string) error {
			return p.Import(p.Context(), seed(text))
		}}
	}
	filed := func(r storage.SeedReport) storage.Seed {
		r.ID, r.Organization, r.CreatedAt = 1, "acme", at(0)
		return storage.Seed{
			Organizations: []storage.SeedOrganization{{ID: 1, Slug: "acme"}},
			Reports:       []storage.SeedReport{r},
		}
	}
	return []textField{
		in("slug", func(text string) storage.Seed {
			return storage.Seed{Organizations: []storage.SeedOrganization{{ID: 1, Slug: text}}}
		}),
		in("name of an organization", func(text string) storage.Seed {
			return storage.Seed{Organizations: []storage.SeedOrganization{{ID: 1, Slug: "acme", Name: text}}}
		}),
		in("name of a group", func(text string) storage.Seed {
			groups := []storage.SeedGroup{{ID: 1, Name: text}}
			return storage.Seed{Organizations: []storage.SeedOrganization{{ID: 1, Slug: "acme", Groups: groups}}}
		}),
		in("name of a user", func(text string) storage.Seed {
			return storage.Seed{Users: []account.User{{ID: 1, FullName: text}}}
		}),
		in("address of a user", func(text string) storage.Seed {
			return storage.Seed{Users: []account.User{{ID: 1, Email: text}}}
		}),
		in("key", func(text string) storage.Seed {
			return storage.Seed{Keys: []storage.SeedKey{{Key: text}}}
		}),
		in("name of a key", func(text string) storage.Seed {
			return storage.Seed{Keys: []storage.SeedKey{{Key: "key", Name: text}}}
		}),
		in("content", func(text string) storage.Seed {
			return storage.Seed{Assets: []storage.SeedAsset{{Content: "https://site.example/" + text}}}
		}),
		in("title of a report", func(text string) storage.Seed {
			return filed(storage.SeedReport{Title: text})
		}),
		in("description of a report", func(text string) storage.Seed {
			return filed(storage.SeedReport{Description: text})
		}),
		in("content of a proposal", func(text string) storage.Seed {
			return filed(storage.SeedReport{Proposals: []storage.SeedProposal{{
				Content:        "https://site.example/" + text,
				ProposedStatus: asset.StatusBlocked,
			}}})
		}),
	}
}
