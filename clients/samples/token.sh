#!/bin/sh
# Sends one lead with an ingest token. Needs curl.
set -eu
: "${LEADGATE_URL:?the URL of the service}" "${LEADGATE_TOKEN:?an ingest token}"

# Use the same key for every attempt: a retry within 24 hours gets the original response and stores nothing.
key=${LEADGATE_IDEMPOTENCY_KEY:-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')}
send() {
  curl --silent --show-error --max-time 10 "$LEADGATE_URL/api/v1/ingest" \
    --header "Authorization: Bearer $LEADGATE_TOKEN" \
    --header 'Content-Type: application/json' \
    --header "X-SVC-Idempotency-Key: $key" \
    --include --write-out '\n%{http_code}\n' \
    --data-binary '{"name":"Ada Lovelace","email":"ada@example.com"}'
}

# Prints the whole response. Look up its X-Request-Id in the diagnostics to see why a lead was rejected.
# The last line is the status. Only 202 means stored; a rejection is a 200.
send | awk '{ print } END { exit $0 != 202 }'
