# Creates a browser token for one of your pages, without a request. Needs Python 3.8 or newer, no packages.
import base64
import hashlib
import hmac
import os
import time
import uuid

# As shown when the mint secret was created. The epoch changes when you end all browser tokens of the form.
secret = os.environ["LEADGATE_MINT_SECRET"].encode()
workspace = uuid.UUID(os.environ["LEADGATE_WORKSPACE"])
form = uuid.UUID(os.environ["LEADGATE_FORM"])
epoch = os.environ.get("LEADGATE_EPOCH") or "1"
# Scheme, host and port as browsers send them: lower case, without a default port or a slash at the end.
origin = os.environ["LEADGATE_ORIGIN"]
# The SHA-256 of the lead in hex: without it, the token fits any lead.
body_hash = bytes.fromhex(os.environ.get("LEADGATE_BODY_HASH", ""))
# Up to 300 seconds.
valid_seconds = 120
now = int(time.time())

fields = [
    # Names the secret without revealing it.
    b"m" + hashlib.sha256(secret).hexdigest()[:16].encode(),
    # The version of this format.
    b"1",
    workspace.bytes,
    form.bytes,
    epoch.encode(),
    origin.encode(),
    str(now).encode(),
    str(now + valid_seconds).encode(),
    # Makes the token unique: each can create one lead.
    os.urandom(16),
    body_hash,
    b"backend",
]

# Each field after its length in two bytes, then the HMAC-SHA256 of all that.
signed = b"".join(len(field).to_bytes(2, "big") + field for field in fields)
mac = hmac.new(secret, signed, hashlib.sha256).digest()
print("ingt_br_" + base64.urlsafe_b64encode(signed + mac).decode().rstrip("="))
