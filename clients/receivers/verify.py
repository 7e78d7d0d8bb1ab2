# Verifies a delivery: python3 verify.py < body. Needs Python 3.8 or newer, no packages.
import base64
import hashlib
import hmac
import os
import sys
import time


def is_from_leadgate(secret, webhook_id, timestamp, signatures, body):
    """body is the bytes as they arrived."""
    # Without this, a recorded request could be sent again at any time.
    if not timestamp.isascii() or not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        return False
    # The key is the part after the prefix, decoded.
    prefix = "whsec_"
    key = base64.b64decode(secret[len(prefix):] if secret.startswith(prefix) else secret)
    message = f"{webhook_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, message, hashlib.sha256).digest())
    # During a rotation there are two signatures, with a space between them.
    return any(hmac.compare_digest(expected, one.encode()) for one in signatures.split(" "))


is_valid = is_from_leadgate(
    os.environ["WEBHOOK_SECRET"],
    os.environ["WEBHOOK_ID"],
    os.environ["WEBHOOK_TIMESTAMP"],
    os.environ["WEBHOOK_SIGNATURE"],
    sys.stdin.buffer.read(),
)
print("valid" if is_valid else "invalid")
sys.exit(0 if is_valid else 1)
