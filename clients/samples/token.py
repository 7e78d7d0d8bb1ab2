# Sends one lead with an ingest token. Needs Python 3.8 or newer, no packages.
import json
import os
import sys
import urllib.request
import uuid

request = urllib.request.Request(
    os.environ["LEADGATE_URL"] + "/api/v1/ingest",
    method="POST",
    headers={
        "Authorization": "Bearer " + os.environ["LEADGATE_TOKEN"],
        "Content-Type": "application/json",
        # Use the same key for every attempt: a retry within 24 hours gets the original response and stores nothing.
        "X-SVC-Idempotency-Key": os.environ.get("LEADGATE_IDEMPOTENCY_KEY") or str(uuid.uuid4()),
    },
    data=json.dumps({"name": "Ada Lovelace", "email": "ada@example.com"}).encode("utf-8"),
)
with urllib.request.urlopen(request, timeout=10) as response:
    print(response.read().decode())
    # Look up this ID in the diagnostics to see why a lead was rejected.
    print("Request", response.headers["X-Request-Id"], file=sys.stderr)
    # Only 202 means stored; a rejection is a 200.
    sys.exit(0 if response.status == 202 else 1)
