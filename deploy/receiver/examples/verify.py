"""Checks the signature of a webhook. Python 3.8 or newer, standard library only; copy it into your receiver.

    python3 verify.py signature-vectors.json    checks this file against the published vectors
"""

import base64
import hashlib
import hmac
import time

# A request older or newer than this may be a recorded one that somebody sends again.
TOLERANCE_SECONDS = 300


def verify_webhook(headers, body, secret, now=None):
    """True when the request was signed with this secret ("whsec_...").

    headers: a mapping of header names, in any case, to values.
    body: the raw bytes as they came; do not parse and serialise them before.
    For 24 hours after a rotation a delivery carries a signature by each secret in force, at most five. A receiver may
    check with any of them.
    """
    read = {name.lower(): value for name, value in headers.items()}
    event_id = read.get("svc-event-id", "")
    timestamp = read.get("svc-timestamp", "")
    if not event_id or not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        return False
    now = time.time() if now is None else now
    if abs(now - int(timestamp)) > TOLERANCE_SECONDS:
        return False

    key = base64.b64decode(secret[len("whsec_"):] if secret.startswith("whsec_") else secret)
    signed = f"{event_id}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    return any(
        hmac.compare_digest(signature[len("v1,"):].encode(), expected)
        for signature in read.get("svc-signature", "").split(" ")
        if signature.startswith("v1,")
    )


def main(path):
    import json

    failed = 0
    with open(path, encoding="utf-8") as file:
        vectors = json.load(file)["vectors"]
    for vector in vectors:
        got = verify_webhook(vector["headers"], vector["body"].encode(), vector["secret"], vector["now"])
        if got is not vector["valid"]:
            failed += 1
            print(f"wrong: {vector['name']}")
    print(f"{len(vectors) - failed} of {len(vectors)} vectors as expected")
    return 1 if failed or not vectors else 0


if __name__ == "__main__":
    import sys

    sys.exit(main(sys.argv[1]))
