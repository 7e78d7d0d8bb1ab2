# Sends one lead as a signed webhook. Needs Python 3.8 or newer, and no package.
import hashlib
import hmac
import json
import os
import time
import urllib.request

# The secret exactly as it was shown, prefix included: no newline, no quotes, not decoded.
secret = os.environ["LEADGATE_SECRET"]
# Unix seconds, taken once: the same value is signed and sent.
timestamp = str(int(time.time()))
# Made once: these very bytes are signed and sent.
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
    },
    data=body,
)
with urllib.request.urlopen(request) as answer:
    print(answer.read().decode())
