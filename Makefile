# Each target is one line; scripts/setup.sh does all set-up, once, and returns at once after that.
BIN := .venv/bin
unexport PYTHONHOME PYTHONPATH

# Which tests `make test` runs; those that start real agents have a target of their own.
TESTS := not agents

.PHONY: demo test test-agents agents lint types format bench schema man lock clean run-env dev-env

demo: run-env    ## runs, verifies and tampers with a small suite, and runs a recorded agent again
	@AGENTS_FOR=demo scripts/agents.sh mini-swe-agent || true
	@PATH="$(CURDIR)/.agents/mini-swe-agent/bin:$$PATH" $(BIN)/tally demo

test: lint types ## all checks and all tests but those that start real agents
	$(BIN)/python -m pytest -m "$(TESTS)" -n auto --dist loadgroup

test-agents: agents ## every real agent that is installed, recorded once and run again many times
	$(BIN)/python -m pytest -m agents -n auto --dist loadgroup tests/agents

agents: dev-env  ## installs the real agents that `pytest -m agents` starts
	@scripts/agents.sh

lint: dev-env    ## ruff and the import contracts
	$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/lint-imports --no-logo

types: dev-env   ## mypy, strict
	$(BIN)/mypy

format: dev-env  ## writes what `make lint` asks of the layout
	$(BIN)/ruff check --fix . ; $(BIN)/ruff format .

bench: dev-env   ## side-by-side measurements
	$(BIN)/python -m benchmarks

schema: dev-env  ## writes docs/spec/schema from the records
	$(BIN)/python scripts/schema.py

man: dev-env     ## writes the manual page from the help texts
	$(BIN)/python scripts/man.py

lock: dev-env    ## pins the dependencies anew; UPGRADE=--upgrade moves all of them
	scripts/lock.sh $(UPGRADE)

clean:           ## removes what the other targets made
	rm -rf .venv build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache

run-env:
	@scripts/setup.sh run

dev-env:
	@scripts/setup.sh dev
