#!/bin/sh
# Verifies a delivery: sh verify.sh < body. Needs openssl 1.1 or newer. To try things out: other users of the machine can
# see the key while openssl runs.
set -eu
: "${WEBHOOK_SECRET:?the secret of the destination}" "${WEBHOOK_ID:?}" "${WEBHOOK_TIMESTAMP:?}" "${WEBHOOK_SIGNATURE:?}"

invalid() { echo invalid; exit 1; }

# Without this, a recorded request could be sent again at any time.
case $WEBHOOK_TIMESTAMP in *[!0-9]*) invalid ;; esac
age=$(($(date +%s) - WEBHOOK_TIMESTAMP))
[ "${age#-}" -le 300 ] || invalid

# The key is the part after the prefix, decoded. openssl takes it in hex.
key=$(printf %s "${WEBHOOK_SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
expected=$({ printf '%s.%s.' "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP"; cat; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)

# During a rotation there are two signatures, with a space between them.
case " $WEBHOOK_SIGNATURE " in
  *" v1,$expected "*) echo valid ;;
  *) invalid ;;
esac
