"""For each delivery: which secrets verify it, and which changes of it are refused."""
import base64, datetime, json, sys
from standardwebhooks import Webhook, WebhookVerificationError

given = json.load(sys.stdin)
OLD = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(seconds=400)


def verifies(secret, headers, body):
    try:
        Webhook(secret).verify(body, headers)
        return True
    except WebhookVerificationError:
        return False


def judged(delivery):
    headers, body, secret = delivery["headers"], delivery["body"], given["secrets"][0]
    late = {
        **headers, "webhook-timestamp": str(int(OLD.timestamp())),
        "webhook-signature": Webhook(secret).sign(headers["webhook-id"], OLD, body),
    }
    other = "whsec_" + base64.b64encode(bytes(32)).decode()
    changed = {
        "changed body": (secret, headers, body + " "),
        "another id": (secret, {**headers, "webhook-id": "other"}, body),
        "old timestamp": (secret, late, body),
        "another secret": (other, headers, body),
    }
    return {
        "verified": [verifies(secret, headers, body) for secret in given["secrets"]],
        "refused": [name for name, change in changed.items() if not verifies(*change)],
    }


print(json.dumps([judged(delivery) for delivery in given["deliveries"]]))
