"""Access tokens: one is kept until shortly before it ends, and threads that come together share it."""
import base64
import json
import threading
import time
import urllib.parse
import uuid

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding

from .errors import TokenError
from .http import exchange

ASSERTION_SECONDS = 60
# Asked for anew this long before it ends, so that none ends on its way.
EARLY_SECONDS = 30


class TokenSource:
    def __init__(self, base_url, client_id, private_key, scope, timeout):
        self._base_url = base_url
        self._client_id = client_id
        self._key = serialization.load_pem_private_key(private_key.encode(), password=None)
        self._scope = scope
        self._timeout = timeout
        self._lock = threading.Lock()
        self._token = None
        self._until = 0.0

    def get(self):
        with self._lock:
            if self._token is None or time.monotonic() >= self._until:
                self._token, lifetime = self._request()
                self._until = time.monotonic() + lifetime - EARLY_SECONDS
            return self._token

    def forget(self, token):
        """Another thread may have a new one already."""
        with self._lock:
            if self._token == token:
                self._token = None

    def _request(self):
        form = {
            "grant_type": "client_credentials",
            "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
            "client_assertion": self._assertion(),
        }
        if self._scope:
            form["scope"] = self._scope
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        body = urllib.parse.urlencode(form).encode()
        status, _, answer = exchange("POST", f"{self._base_url}/oauth2/token", headers, body, self._timeout)
        answer = answer if isinstance(answer, dict) else {}
        if status != 200:
            raise TokenError(status, answer.get("error"), answer.get("error_description", ""))
        return answer["access_token"], answer["expires_in"]

    def _assertion(self):
        now = int(time.time())
        claims = {
            "iss": self._client_id,
            "sub": self._client_id,
            "aud": self._base_url,
            "iat": now,
            "exp": now + ASSERTION_SECONDS,
            "jti": str(uuid.uuid4()),
        }
        signed = f"{_encode({'alg': 'RS256', 'typ': 'JWT'})}.{_encode(claims)}"
        signature = self._key.sign(signed.encode(), padding.PKCS1v15(), hashes.SHA256())
        return f"{signed}.{_base64url(signature)}"


def _encode(value):
    return _base64url(json.dumps(value).encode())


def _base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
