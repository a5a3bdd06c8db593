package sqlstore

import (
	"context"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/storage"
)

const (
	importAsset = `INSERT INTO apguard_assets (id, ` + AssetColumns + `) VALUES (?, ` + AssetValues + `)`

	importChange = `INSERT INTO apguard_changes (id, ` + ChangeColumns + `)
		VALUES (?, ` + ChangeValues + `)`
)

// Import implements storage.Store.
func (s *Store) Import(ctx context.Context, seed storage.Seed) error {
	records, err := seed.Records()
	if err != nil {
		return err
	}
	return s.do(ctx, "import", func(ctx context.Context, on session) error {
		return on.importRecords(ctx, records)
	})
}

func (s session) importRecords(ctx context.Context, records storage.Records) error {
	for _, step := range []func(context.Context) error{
		each([]string{"organizations", "groups"}, s.Serialize), // as PutOrganization and PutGroup do
		s.requireEmpty,
		// A concurrent insert of the same row is a conflict; it is not overwritten.
		insertEach(s, insertOrganization, records.Organizations, organizationColumns),
		each(records.Groups, s.putGroup),
		insertEach(s, insertUser, records.Users, userColumns),
		insertEach(s, insertKey, records.Keys, newKeyColumns),
		insertEach(s, importAsset, records.Assets, assetColumns),
		each([][]asset.Held{records.Assets}, func(ctx context.Context, assets []asset.Held) error { return s.putDecisions(ctx, assets...) }),
		insertEach(s, importChange, records.Changes, importChangeColumns),
		each([]string{s.dialect.Feed.Imported}, s.execAny),
		each(records.Reports, s.importReport),
		insertEach(s, importReview, records.Reviews, importReviewColumns),
		each([]string{"apguard_assets", "apguard_changes", "apguard_reports", "apguard_proposals", "apguard_reviews"}, s.ReserveIDs),
		each([]string{s.dialect.AfterImport}, s.execAny),
		each([]audit.Entry{records.Audit}, s.record),
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// execAny is exec for a statement of the dialect, unless that is empty.
func (s session) execAny(ctx context.Context, statement string) error {
	if statement == "" {
		return nil
	}
	return s.exec(ctx, statement)
}

// requireEmpty returns storage.ErrNotEmpty if there is any record.
func (s session) requireEmpty(ctx context.Context) error {
	var filled bool
	if err := s.get(ctx, anyRow(), nil, &filled); err != nil || !filled {
		return err
	}
	return ContractError{storage.ErrNotEmpty}
}

// each returns a function that calls do with every element.
func each[T any](elements []T, do func(context.Context, T) error) func(context.Context) error {
	return func(ctx context.Context) error {
		for _, element := range elements {
			if err := do(ctx, element); err != nil {
				return err
			}
		}
		return nil
	}
}

// insertEach returns a function that inserts every record.
func insertEach[T any](s session, statement string, records []T, columns func(T) []any) func(context.Context) error {
	return each(records, func(ctx context.Context, record T) error {
		return s.exec(ctx, statement, columns(record)...)
	})
}

func assetColumns(a asset.Held) []any { return AppendAsset([]any{a.ID}, &a) }

func importChangeColumns(c asset.Change) []any { return append([]any{c.ID}, ChangeArguments(c)...) }
