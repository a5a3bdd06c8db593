package postgres_test

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage/internal/test/plantest"
	"github.com/apguard/apguard/storage/postgres"
)

// recorder records the statements of a connection. It is a pgx.QueryTracer and a
// pgx.BatchTracer.
type recorder struct{ statements []plantest.Statement }

func (r *recorder) TraceQueryStart(ctx context.Context, _ *pgx.Conn, query pgx.TraceQueryStartData) context.Context {
	r.statements = append(r.statements, plantest.Statement{SQL: query.SQL, Args: query.Args})
	return ctx
}

func (r *recorder) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (r *recorder) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}

func (r *recorder) TraceBatchQuery(_ context.Context, _ *pgx.Conn, query pgx.TraceBatchQueryData) {
	r.statements = append(r.statements, plantest.Statement{SQL: query.SQL, Args: query.Args})
}

func (r *recorder) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// No statement of a call that removes something scans a table, whatever the call does with the
// rows that it finds.
func testRemovalPlans(t *testing.T, dsn string) {
	t.Helper()
	for name, removal := range plantest.Removals(2) {
		t.Run(name, func(t *testing.T) {
			config, err := pgx.ParseConfig(dsn)
			require.NoError(t, err)
			tracer := &recorder{}
			config.Tracer = tracer
			connection, err := pgx.ConnectConfig(t.Context(), config)
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, connection.Close(context.Background())) })
			tx, err := connection.Begin(t.Context())
			require.NoError(t, err)
			require.NoError(t, removal.Call(t.Context(), postgres.InTx(tx)))
			require.NoError(t, tx.Rollback(t.Context()))
			removal.RequireChanges(t, tracer.statements)
			scanned := strings.NewReplacer("Seq Scan on apguard_locks", "", "Seq Scan on "+removal.Scans+" ", "") // the first has a few rows
			for _, statement := range tracer.statements {
				if !strings.Contains(statement.SQL, "apguard_") {
					continue // it begins or ends a transaction
				}
				plan := scanned.Replace(explain(t.Context(), t, connect(t, dsn), statement))
				require.NotContains(t, plan, "Seq Scan on apguard_", statement.SQL)
			}
		})
	}
}
