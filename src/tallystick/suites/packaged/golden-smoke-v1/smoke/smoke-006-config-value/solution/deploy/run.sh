#!/bin/sh
# Starts the service and waits until it answers.
set -eu
PORT=9090
python3 -m orders --config config/server.json &
until curl -fsS "http://127.0.0.1:$PORT/health"; do sleep 1; done
