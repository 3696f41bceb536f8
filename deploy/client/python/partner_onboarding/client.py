"""The Partner Business Onboarding API: one method for each call."""
import hashlib
import json
import random
import time
import urllib.parse
import uuid

from .errors import ApiError, ConnectionFailed, TokenError
from .http import checked_base_url, exchange
from .tokens import TokenSource

PROFILES = "/partner/v1/business-profiles"
RULES = "/customer/v1/onboarding"
FIRST_WAIT_SECONDS = 0.25
LONGEST_WAIT_SECONDS = 60
UPLOAD_WITHIN_SECONDS = 300
# Nothing was done, or the first try is still under way and its answer can be had shortly.
REFUSED_FOR_NOW = {"Service.Unavailable", "Idempotency.InProgress"}


class Client:
    def __init__(self, base_url, client_id, private_key, scope=None, timeout=20, retries=3, on_warnings=None):
        self._base_url = checked_base_url(base_url)
        self._timeout = timeout
        self._retries = retries
        self._on_warnings = on_warnings
        self._tokens = TokenSource(self._base_url, client_id, private_key, scope, timeout)

    def token(self):
        """For calls of your own."""
        return self._tokens.get()

    def create(self, body, idempotency_key=None):
        return self._call("POST", PROFILES, body=body, idempotency_key=idempotency_key)

    def replace(self, body, if_match=None):
        return self._call("PUT", _one(body["customerId"]), body=body, if_match=if_match)

    def patch(self, customer_id, body, if_match=None):
        return self._call("PATCH", _one(customer_id), body=body, if_match=if_match)

    def patch_person(self, customer_id, ubo_id, body, if_match=None):
        """Corrects one person; what is left out stays."""
        return self._call("PATCH", f"{_one(customer_id)}/persons/{_quoted(ubo_id)}", body=body, if_match=if_match)

    def get(self, customer_id):
        return self._call("GET", _one(customer_id))

    def get_by_reference(self, partner_customer_id):
        return self._call("GET", f"{PROFILES}/by-reference/{_quoted(partner_customer_id)}")

    def verification_status(self, customer_id):
        return self._call("GET", f"{_one(customer_id)}/verification-status")

    def simulate(self, customer_id, body, idempotency_key=None):
        """In the sandbox only: decides the review of a customer, as an analyst would."""
        return self._call("POST", f"{_one(customer_id)}/simulate", body=body, idempotency_key=idempotency_key)

    def list(self, **filters):
        """Every customer, newest first, page by page as you go on."""
        cursor = None
        while True:
            page = self._call("GET", PROFILES, query={**filters, "cursor": cursor})
            yield from page["items"]
            cursor = page["nextCursor"]
            if not cursor:
                return

    def events(self, cursor=None):
        """Pages of events after the cursor, oldest first; keep ``nextCursor`` of the last one."""
        while True:
            page = self._call("GET", "/partner/v1/events", query={"cursor": cursor})
            yield page
            cursor = page["nextCursor"]
            if not page["hasMore"]:
                return

    def upload_link(self, customer_id, body, idempotency_key=None):
        path = f"{_one(customer_id)}/documents/upload-link"
        return self._call("POST", path, body=body, idempotency_key=idempotency_key)

    def upload(self, customer_id, document_category, content_type, file, ubo_id=None):
        """Link and file in one call; the link takes this very file and no other. Answers the document's id."""
        wish = {
            "documentCategory": document_category,
            "contentType": content_type,
            "sizeBytes": len(file),
            "sha256": hashlib.sha256(file).hexdigest(),
        }
        if ubo_id:
            wish["uboId"] = ubo_id
        link = self.upload_link(customer_id, wish)
        status, _, _ = exchange(
            link["method"], link["uploadUrl"], link["headers"], file, UPLOAD_WITHIN_SECONDS
        )
        if not 200 <= status < 300:
            raise ConnectionFailed(f"Storage refused the file: {status}.")
        return link["documentId"]

    def identity_requirements(self, country_code):
        return self._call("GET", f"{RULES}/ubo-identity-requirements", query={"countryCode": country_code})

    def countries(self):
        return self._call("GET", f"{RULES}/countries")

    def business_types(self):
        return self._call("GET", f"{RULES}/business-types")

    def _call(self, method, path, query=None, body=None, if_match=None, idempotency_key=None):
        given = {name: value for name, value in (query or {}).items() if value is not None}
        url = f"{self._base_url}/api{path}" + (f"?{urllib.parse.urlencode(given)}" if given else "")
        headers = {}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if if_match is not None:
            headers["If-Match"] = f'"{if_match}"'
        if method == "POST":
            headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        data = None if body is None else json.dumps(body).encode()
        attempt = 0
        while True:
            token, failure, status, retry_after = None, None, 0, None
            try:
                token = self._tokens.get()
                sent = {**headers, "Authorization": f"Bearer {token}"}
                status, answered, answer = exchange(method, url, sent, data, self._timeout)
                answer = answer if isinstance(answer, dict) else {}
                if status == 200 and answer.get("isSuccess"):
                    if answer.get("warnings") and self._on_warnings:
                        self._on_warnings(answer["warnings"])
                    return answer.get("value")
                retry_after = answered.get("Retry-After")
                failure = (
                    ApiError(status, answer["error"])
                    if isinstance(answer.get("error"), dict)
                    else ConnectionFailed(f"An answer that is not the API's: {status}.")
                )
            except TokenError as refused:
                failure, status = refused, refused.status
            except ConnectionFailed as lost:
                failure = lost
            may_repeat = _may_repeat(method, status, failure) if token else _may_ask_again(status)
            if attempt >= self._retries or not may_repeat:
                raise failure
            if status == 401:
                self._tokens.forget(token)
            time.sleep(_wait(retry_after, attempt))
            attempt += 1


def _may_repeat(method, status, failure):
    """Refused before anything was done: repeated. May have been done: only where it cannot be done twice."""
    if status in (401, 429) or getattr(failure, "code", None) in REFUSED_FOR_NOW:
        return True
    return (status == 0 or status >= 500) and method in ("GET", "POST")


def _may_ask_again(status):
    """For a token: the call itself was not made."""
    return status in (0, 429) or status >= 500


def _wait(retry_after, attempt):
    if retry_after is not None and retry_after.isdigit():
        return min(int(retry_after), LONGEST_WAIT_SECONDS)
    return min(FIRST_WAIT_SECONDS * 2**attempt * (0.5 + random.random()), LONGEST_WAIT_SECONDS)


def _one(customer_id):
    return f"{PROFILES}/{_quoted(customer_id)}"


def _quoted(text):
    return urllib.parse.quote(text, safe="")
