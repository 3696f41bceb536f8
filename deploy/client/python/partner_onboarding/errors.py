"""What can go wrong, as errors to catch; decide on ``code``."""


class ApiError(Exception):
    """The API refused the request."""

    def __init__(self, status, error):
        super().__init__(f"{error.get('code')}: {error.get('message')}")
        self.status = status
        self.code = error.get("code")
        self.request_id = error.get("requestId")
        self.details = error.get("details", [])
        self.docs_url = error.get("docsUrl")


class TokenError(Exception):
    """The token endpoint refused the client; the dashboard shows the true reason."""

    def __init__(self, status, code, description):
        super().__init__(f"{code}: {description}")
        self.status = status
        self.code = code


class ConnectionFailed(Exception):
    """No answer, or one that is not the API's."""


class WebhookError(Exception):
    """A webhook that was not signed with the secret, or too long ago."""
