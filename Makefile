# The commands of this project. "make help" lists them.

.PHONY: help test test-short lint fuzz bench ci

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

test: ## run all tests; PostgreSQL ones need APGUARD_TEST_POSTGRES
	@[ -n "$$APGUARD_TEST_POSTGRES" ] || echo "PostgreSQL tests are skipped: set APGUARD_TEST_POSTGRES to the URL of a server to run them"
	go test ./...

test-short: ## run the tests that take a few seconds
	go test -short . ./account ./allowlist ./asset ./classify/... ./dispute/... ./httpapi ./idempotency ./report ./storage ./storage/memory ./storage/storagetest

lint: ## run the linters of .golangci.yml
	go vet ./...
	@if [ -x .tools/golangci-lint ]; then .tools/golangci-lint run ./...; else golangci-lint run ./...; fi

fuzz: ## run every fuzz target for a minute
	.ci/fuzz 60s

bench: ## run the benchmarks of the stores, of dispute and of httpapi
	go test -run '^$$' -bench . -benchtime 1x ./storage/... ./dispute/... ./httpapi

ci: ## run everything that CI runs
	.ci/run
