#!/bin/sh
# Sends one lead as a signed webhook. Needs curl and openssl.
set -eu
: "${LEADGATE_URL:?the address of the service}" "${LEADGATE_SLUG:?the slug of the form}"

# The secret exactly as it was shown, prefix included: no newline, no quotes, not decoded.
secret=$LEADGATE_SECRET
# Unix seconds, taken once: the same value is signed and sent.
timestamp=$(date +%s)
# Made once: these very bytes are signed and sent.
body='{"name":"Ada Lovelace","email":"ada@example.com"}'

# Timestamp, a dot, body. printf adds no newline, as echo would.
message() { printf '%s.%s' "$timestamp" "$body"; }
# HMAC-SHA256 as 64 hex characters; sed removes the label that openssl prints before them.
signature=$(message | openssl dgst -sha256 -hmac "$secret" | sed 's/^.* //')

# --data-binary sends the body as it is.
curl --silent --show-error "$LEADGATE_URL/api/v1/ingest/$LEADGATE_SLUG" \
  --header 'Content-Type: application/json' \
  --header "X-SVC-Timestamp: $timestamp" \
  --header "X-SVC-Signature: $signature" \
  --data-binary "$body"
