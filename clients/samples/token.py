# Sends one lead with a server token. Needs Python 3.8 or newer, and no package.
import json
import os
import urllib.request
import uuid

request = urllib.request.Request(
    os.environ["LEADGATE_URL"] + "/api/v1/ingest",
    method="POST",
    headers={
        "Authorization": "Bearer " + os.environ["LEADGATE_TOKEN"],
        "Content-Type": "application/json",
        # The same key on every attempt: a repeat within 24 hours gets the original answer and stores nothing.
        "X-SVC-Idempotency-Key": os.environ.get("LEADGATE_KEY", str(uuid.uuid4())),
    },
    data=json.dumps({"name": "Ada Lovelace", "email": "ada@example.com"}).encode("utf-8"),
)
with urllib.request.urlopen(request) as answer:
    print(answer.read().decode())
