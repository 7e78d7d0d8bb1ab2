# Sends one lead as a signed webhook. Needs Python 3.8 or newer, no packages.
import hashlib
import hmac
import json
import os
import sys
import time
import urllib.request
import uuid

# The secret exactly as it was shown, prefix included: no quotes, not decoded, and without the newline that files often add.
secret = os.environ["LEADGATE_SECRET"].rstrip("\r\n")
# Unix seconds, taken once: the same value is signed and sent.
timestamp = str(int(time.time()))
# Built once: exactly these bytes are signed and sent.
body = json.dumps({"name": "Ada Lovelace", "email": "ada@example.com"}).encode("utf-8")

# Timestamp, a dot, body.
message = timestamp.encode() + b"." + body
# HMAC-SHA256 as 64 hex characters.
signature = hmac.new(secret.encode("utf-8"), message, hashlib.sha256).hexdigest()

request = urllib.request.Request(
    os.environ["LEADGATE_URL"] + "/api/v1/ingest/" + os.environ["LEADGATE_SLUG"],
    method="POST",
    headers={
        "Content-Type": "application/json",
        "X-SVC-Timestamp": timestamp,
        "X-SVC-Signature": signature,
        # Use the same key for every attempt: a retry within 24 hours gets the original response and stores nothing.
        "X-SVC-Idempotency-Key": os.environ.get("LEADGATE_IDEMPOTENCY_KEY") or str(uuid.uuid4()),
    },
    data=body,
)
with urllib.request.urlopen(request, timeout=10) as response:
    print(response.read().decode())
    # Look up this ID in the diagnostics to see why a lead was rejected.
    print("Request", response.headers["X-Request-Id"], file=sys.stderr)
    # Only 202 means stored; a rejection is a 200.
    sys.exit(0 if response.status == 202 else 1)
