"""Webhooks: the signature is checked before the body is read."""
import base64
import hashlib
import hmac
import json
import re
import time

from .errors import WebhookError

# A request older or newer than this may be a recorded one that somebody sends again.
TOLERANCE_SECONDS = 300


def unwrap(body, headers, secret, now=None):
    """The event, or a WebhookError. ``body`` is the raw body; ``secret`` may be a list while you rotate."""
    raw = body.encode() if isinstance(body, str) else bytes(body)
    read = {name.lower(): value for name, value in headers.items()}
    event_id = read.get("webhook-id", "")
    timestamp = read.get("webhook-timestamp", "")
    if not event_id or not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise WebhookError("The headers of a webhook are missing.")
    if abs((time.time() if now is None else now) - int(timestamp)) > TOLERANCE_SECONDS:
        raise WebhookError("The webhook is more than five minutes away from this machine's clock.")
    given = [one[3:] for one in read.get("webhook-signature", "").split(" ") if one.startswith("v1,")]
    secrets = [secret] if isinstance(secret, str) else secret
    expected = [_sign(one, f"{event_id}.{timestamp}.".encode() + raw) for one in secrets]
    if not any(hmac.compare_digest(a.encode(), b.encode()) for a in given for b in expected):
        raise WebhookError("The webhook was not signed with this secret.")
    return json.loads(raw)


def _sign(secret, content):
    key = base64.b64decode(secret.removeprefix("whsec_"))
    return base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
