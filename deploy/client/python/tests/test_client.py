"""The client against a server that answers as it is told."""
import base64
import hashlib
import hmac
import json
import sys
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from cryptography.hazmat.primitives import serialization  # noqa: E402
from cryptography.hazmat.primitives.asymmetric import rsa  # noqa: E402

from partner_onboarding import ApiError, Client, ConnectionFailed, TokenError, WebhookError, unwrap  # noqa: E402

KEY = (
    rsa.generate_private_key(public_exponent=65537, key_size=2048)
    .private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    .decode()
)
HANG_UP = "hang up"
CUT_OFF = "cut off"
NOW = {"Retry-After": "0"}


def success(value, **more):
    return 200, {"isSuccess": True, "value": value, **more}, {}


def refusal(status, code, headers=NOW):
    error = {"code": code, "message": "m", "requestId": "r", "details": [], "docsUrl": "d"}
    return status, {"isSuccess": False, "error": error}, headers


class ClientTest(unittest.TestCase):
    def setUp(self):
        test = self
        self.seen, self.replies, self.tokens, self.token_reply, self.token_replies = [], [], 0, None, []

        class Handler(BaseHTTPRequestHandler):
            def handle_any(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                if self.path == "/oauth2/token":
                    test.tokens += 1
                    token = {"access_token": f"token-{test.tokens}", "expires_in": 300}
                    again = test.token_reply or (200, token, {})
                    reply = test.token_replies.pop(0) if test.token_replies else again
                else:
                    test.seen.append((self.command, self.path, dict(self.headers), body))
                    reply = test.replies.pop(0) if test.replies else success({})
                if reply == HANG_UP:
                    return self.connection.close()
                if reply == CUT_OFF:
                    self.send_response(200)
                    self.send_header("Content-Length", "100")
                    self.end_headers()
                    self.wfile.write(b"{")
                    return self.connection.close()
                status, answer, headers = reply
                text = json.dumps(answer).encode()
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(text))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = do_PUT = do_PATCH = handle_any

            def log_message(self, *_args):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.client = Client(f"{self.url}/", "acme", KEY)

    def tearDown(self):
        self.server.shutdown()
        self.server.server_close()

    def header(self, name):
        return [headers.get(name) for _, _, headers, _ in self.seen]

    def test_token_is_kept_and_a_refused_one_is_asked_for_anew(self):
        self.client.get("a")
        self.client.get("b")
        self.replies = [refusal(401, "Partner.NotAuthenticated")]
        self.client.get("c")
        self.assertEqual(
            self.header("Authorization"),
            ["Bearer token-1", "Bearer token-1", "Bearer token-1", "Bearer token-2"],
        )

    def test_token_that_is_not_given(self):
        self.token_reply = (401, {"error": "invalid_client", "error_description": "no"}, {})
        with self.assertRaises(TokenError) as raised:
            self.client.get("a")
        self.assertEqual(raised.exception.code, "invalid_client")

    def test_token_endpoint_that_is_away_for_a_moment(self):
        self.token_replies = [HANG_UP, (503, {"error": "temporarily_unavailable"}, {})]
        self.client.patch("a", {})
        self.assertEqual((self.tokens, len(self.seen)), (3, 1))

    def test_one_person_and_a_review_of_the_sandbox(self):
        self.client.patch_person("a", "b/c", {"lastName": "Bello"}, if_match=3)
        self.client.simulate("a", {"outcome": "Approved"}, idempotency_key="k1")
        self.assertEqual(
            [(method, path.removeprefix("/api/partner/v1/business-profiles")) for method, path, _, _ in self.seen],
            [("PATCH", "/a/persons/b%2Fc"), ("POST", "/a/simulate")],
        )
        self.assertEqual((self.header("If-Match")[0], self.header("Idempotency-Key")[1]), ('"3"', "k1"))

    def test_answer_that_is_cut_off(self):
        self.replies = [CUT_OFF]
        self.client.create({"partnerCustomerId": "a"})
        keys = self.header("Idempotency-Key")
        self.assertEqual((len(keys), len(set(keys))), (2, 1))

    def test_refusal_has_its_code_and_its_page(self):
        self.replies = [refusal(404, "Customer.NotFound")]
        with self.assertRaises(ApiError) as raised:
            self.client.get("a b/c")
        self.assertEqual((raised.exception.code, raised.exception.docs_url), ("Customer.NotFound", "d"))
        self.assertEqual(self.seen[0][1], "/api/partner/v1/business-profiles/a%20b%2Fc")

    def test_post_is_sent_again_with_the_same_key(self):
        self.replies = [refusal(503, "Service.Unavailable"), refusal(409, "Idempotency.InProgress"), HANG_UP]
        self.client.create({"partnerCustomerId": "a"})
        keys = self.header("Idempotency-Key")
        self.assertEqual((len(keys), len(set(keys))), (4, 1))

    def test_patch_is_not_sent_again_when_it_may_have_been_done(self):
        self.replies = [HANG_UP]
        with self.assertRaises(ConnectionFailed):
            self.client.patch("a", {}, if_match=7)
        self.assertEqual(self.header("If-Match"), ['"7"'])

    def test_a_redirect_is_not_followed_and_says_so(self):
        elsewhere = (307, {}, {"Location": f"{self.url}/elsewhere"})
        self.replies = [elsewhere]
        with self.assertRaisesRegex(ConnectionFailed, "redirect"):
            self.client.patch("a", {})
        self.token_replies = [elsewhere] * 4
        with self.assertRaisesRegex(ConnectionFailed, "redirect"):
            Client(self.url, "acme", KEY, retries=0).get("a")
        self.assertEqual(len(self.seen), 1)

    def test_plain_http_is_for_this_machine_only(self):
        for base_url in ("http://onboarding.example", "http://10.0.0.1", "http://localhost.example", "ftp://a.example"):
            with self.assertRaisesRegex(ValueError, "https"):
                Client(base_url, "acme", KEY)
        for base_url in ("https://onboarding.example", "http://localhost:3000", "http://127.0.0.1", "http://[::1]:1"):
            Client(base_url, "acme", KEY)

    def test_gives_up_after_its_retries(self):
        self.replies = [refusal(429, "Request.RateLimited")] * 9
        with self.assertRaises(ApiError):
            self.client.get("a")
        self.assertEqual(len(self.seen), 4)

    def test_warnings_are_told(self):
        told = []
        self.replies = [success({}, warnings=[{"field": "webiste"}])]
        Client(self.url, "acme", KEY, on_warnings=told.append).create({})
        self.assertEqual(told, [[{"field": "webiste"}]])

    def test_list_and_events_walk_every_page(self):
        self.replies = [
            success({"items": [1, 2], "nextCursor": "n"}),
            success({"items": [3], "nextCursor": None}),
            success({"items": [], "nextCursor": "c2", "hasMore": True}),
            success({"items": [], "nextCursor": "c3", "hasMore": False}),
        ]
        self.assertEqual(list(self.client.list(industry="Grants")), [1, 2, 3])
        self.assertEqual([page["nextCursor"] for page in self.client.events("c1")], ["c2", "c3"])
        self.assertEqual(
            [path.split("?")[1] for _, path, _, _ in self.seen],
            ["industry=Grants", "industry=Grants&cursor=n", "cursor=c1", "cursor=c2"],
        )

    def test_upload_sends_the_file_with_the_headers_of_the_link(self):
        link = {
            "documentId": "d1",
            "uploadUrl": f"{self.url}/storage",
            "method": "PUT",
            "headers": {"Content-Type": "application/pdf"},
        }
        self.replies = [success(link), success(None), success(link), (403, {}, {})]
        self.assertEqual(self.client.upload("a", "Other", "application/pdf", b"%PDF"), "d1")
        self.assertEqual(json.loads(self.seen[0][3])["sha256"], hashlib.sha256(b"%PDF").hexdigest())
        self.assertEqual(self.seen[1][0::3], ("PUT", b"%PDF"))
        with self.assertRaises(ConnectionFailed):
            self.client.upload("a", "Other", "application/pdf", b"%PDF")


class UnwrapTest(unittest.TestCase):
    SECRET = "whsec_" + base64.b64encode(b"k" * 32).decode()
    BODY = '{"eventType":"webhook.test","data":{"message":"hällo"}}'

    def headers(self, **change):
        stamp = str(int(time.time()))
        content = f"e1.{stamp}.{self.BODY}".encode()
        signature = base64.b64encode(hmac.new(b"k" * 32, content, hashlib.sha256).digest()).decode()
        return {
            "Webhook-Id": "e1",
            "Webhook-Timestamp": stamp,
            "Webhook-Signature": f"v1,AAAA v1,{signature}",
            **change,
        }

    def test_signed(self):
        self.assertEqual(unwrap(self.BODY, self.headers(), self.SECRET)["eventType"], "webhook.test")
        other = "whsec_" + base64.b64encode(b"x" * 32).decode()
        self.assertEqual(unwrap(self.BODY.encode(), self.headers(), [other, self.SECRET])["data"]["message"], "hällo")

    def test_refused(self):
        for body, headers, now in [
            (self.BODY + " ", self.headers(), None),
            (self.BODY, self.headers(**{"Webhook-Id": "e2"}), None),
            (self.BODY, self.headers(**{"Webhook-Signature": "v1,ü"}), None),
            (self.BODY, {}, None),
            (self.BODY, self.headers(), time.time() + 360),
        ]:
            with self.assertRaises(WebhookError):
                unwrap(body, headers, self.SECRET, now)


if __name__ == "__main__":
    unittest.main()
