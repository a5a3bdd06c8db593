# The commands of this project. "make help" lists them.

.PHONY: help test test-short test-full lint fuzz bench baseline package release ci

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Says which tests are skipped.
postgres = [ -n "$$APGUARD_TEST_POSTGRES" ] || echo "PostgreSQL tests are skipped: set APGUARD_TEST_POSTGRES to the URL of a server to run them"

test: ## run all tests; PostgreSQL ones need APGUARD_TEST_POSTGRES
	@$(postgres)
	go test ./...

# Without go vet, which "make lint" runs. Many tests only wait, so more run at once than there are cores.
test-short: ## run what shows within seconds that each package works
	go test -short -vet=off -parallel 16 ./...

# Without the race detector: SQLite in pure Go, which is C that was translated, and measurements.
test-full: export APGUARD_TEST_FULL = 1
test-full: ## run the tests of CI: all, with the race detector, coverage, load and memory
	@$(postgres)
	go test -race -shuffle=on -cover -timeout 20m -gcflags='modernc.org/...=-race=false' ./...
	.ci/measure

lint: ## run the linters of .golangci.yml
	go vet ./...
	@if [ -x .tools/golangci-lint ]; then .tools/golangci-lint run ./...; else golangci-lint run ./...; fi

fuzz: ## run every fuzz target for a minute
	.ci/fuzz 60s

bench: ## run the benchmarks of the stores, of check, of httpapi, of the client and of webhooks
	go test -run '^$$' -bench . -benchtime 1x ./storage/... ./check/... ./httpapi ./client/... ./webhook/...

package: ## write the npm package of rules/js to dist
	.ci/package

baseline: ## compare later versions with the present Go API and OpenAPI documents
	.ci/compatible update

release: ## write the archives and the npm package of a release to dist
	.ci/release

ci: ## run everything that CI runs
	.ci/run
