#!/bin/sh
# Sends one lead as a signed webhook. Needs curl and openssl.
set -eu
: "${LEADGATE_URL:?the URL of the service}" "${LEADGATE_SLUG:?the slug of the form}"

# The secret exactly as it was shown, prefix included: no quotes, not decoded, and without the newline that files often add.
secret=$(printf %s "$LEADGATE_SECRET" | tr -d '\r\n')
# Unix seconds, taken once: the same value is signed and sent.
timestamp=$(date +%s)
# Built once: exactly these bytes are signed and sent.
body='{"name":"Ada Lovelace","email":"ada@example.com"}'

# Timestamp, a dot, body. Unlike echo, printf adds no newline.
message() { printf '%s.%s' "$timestamp" "$body"; }
# HMAC-SHA256 as 64 hex characters; sed removes the label that openssl prints before them.
signature=$(message | openssl dgst -sha256 -hmac "$secret" | sed 's/^.* //')

# Use the same key for every attempt: a retry within 24 hours gets the original response and stores nothing.
key=${LEADGATE_IDEMPOTENCY_KEY:-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')}
# --data-binary sends the body as it is.
send() {
  curl --silent --show-error --max-time 10 "$LEADGATE_URL/api/v1/ingest/$LEADGATE_SLUG" \
    --header 'Content-Type: application/json' \
    --header "X-SVC-Timestamp: $timestamp" \
    --header "X-SVC-Signature: $signature" \
    --header "X-SVC-Idempotency-Key: $key" \
    --include --write-out '\n%{http_code}\n' \
    --data-binary "$body"
}

# Prints the whole response. Look up its X-Request-Id in the diagnostics to see why a lead was rejected.
# The last line is the status. Only 202 means stored; a rejection is a 200.
send | awk '{ print } END { exit $0 != 202 }'
