#!/bin/sh
# Sends one lead with a server token. Needs curl.
set -eu
: "${LEADGATE_URL:?the address of the service}" "${LEADGATE_TOKEN:?a server token}"

# The same key on every attempt: a repeat within 24 hours gets the original answer and stores nothing.
curl --silent --show-error "$LEADGATE_URL/api/v1/ingest" \
  --header "Authorization: Bearer $LEADGATE_TOKEN" \
  --header 'Content-Type: application/json' \
  --header "X-SVC-Idempotency-Key: ${LEADGATE_KEY:-lead-$(date +%s)-$$}" \
  --data-binary '{"name":"Ada Lovelace","email":"ada@example.com"}'
