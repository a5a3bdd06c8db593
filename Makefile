# The commands of this project. "make help" lists them.

.PHONY: help test test-short test-race test-full lint fuzz bench baseline package release ci

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

# The race detector makes a test several times slower, so tests have their normal size with it and laws draw
# fewer examples. SQLite in pure Go, which is C that was translated, does without it; with Go 1.27, the detector
# then reports races between an object and what was at its address before. As many tests wait for a
# process or a database, more of them run at once than there are cores, and those that wait longest begin first.
test-race: export APGUARD_TEST_FULL = 1
test-race: ## run all tests with the race detector and coverage, as CI does
	@$(postgres)
	RAPID_CHECKS=20 go test -race -shuffle=on -cover -timeout 30m -parallel 4 -gcflags='modernc.org/...=-race=false' \
		./storage/postgres ./storage/sqlite ./...

test-full: export APGUARD_TEST_FULL = 1
test-full: ## run all tests in full: also load, memory, kills, long random runs, and every way to open a store
	@$(postgres)
	go test -timeout 60m ./...

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

release: ## write the files of a release to dist
	.ci/release

ci: ## run everything that CI runs
	.ci/run
