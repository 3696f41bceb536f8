import json, os, sys
# The platform under test speaks http.
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
import jwt, requests
from authlib.integrations.base_client.errors import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc7523 import PrivateKeyJWT
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata

given = json.load(sys.stdin)
metadata = requests.get(given["metadataUrl"]).json()
endpoint = metadata["token_endpoint"]


def grant(method, secret=given["privateKey"]):
    session = OAuth2Session(given["clientId"], secret, token_endpoint_auth_method=method)
    return session, session.fetch_token(endpoint, grant_type="client_credentials", scope="partner.read")


def failure(attempt):
    try:
        return f"no failure: {attempt()}"
    except OAuthError as error:
        return error.error
    except Exception as error:
        return type(error).__name__


def problems():
    try:
        AuthorizationServerMetadata(metadata).validate()
        return []
    except ValueError as error:
        return [str(error)]


session, answer = grant(PrivateKeyJWT(endpoint))
token = answer["access_token"]
key = jwt.PyJWKClient(metadata["jwks_uri"]).get_signing_key_from_jwt(token).key


def verified(text=token, audience=given["audience"]):
    algorithms = ["EdDSA"]
    return jwt.decode(text, key, algorithms, audience=audience, issuer=metadata["issuer"])


head, _, signature = token.split(".")
other = jwt.encode({**verified(), "scope": "partner.write"}, None, "none").split(".")[1]
print(json.dumps({
    "scope": answer["scope"],
    "called": session.get(given["apiUrl"]).status_code,
    "issuer": verified()["iss"],
    "metadata": problems(),
    "wrongMethods": [failure(lambda: grant(method, "secret")) for method in ("client_secret_basic", "client_secret_post")],
    "wrongAudience": failure(lambda: verified(audience="https://other.example")),
    "wrongSignature": failure(lambda: verified(f"{head}.{other}.{signature}")),
}))
