"""One HTTP exchange, with what became of it; redirects are never followed."""
import http.client
import json
import re
import urllib.error
import urllib.parse
import urllib.request

from .errors import ConnectionFailed


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_args):
        return None


_opener = urllib.request.build_opener(_NoRedirect)


def checked_base_url(text):
    """Without the slashes at its end. Over plain http tokens and data of customers could be read on their way."""
    base_url = text.rstrip("/")
    parts = urllib.parse.urlsplit(base_url)
    own = parts.hostname in ("localhost", "::1") or re.fullmatch(r"127(\.\d+){3}", parts.hostname or "")
    if parts.hostname and (parts.scheme == "https" or (parts.scheme == "http" and own)):
        return base_url
    raise ValueError(f"base_url must begin with https:// (http:// is for this machine only): {text}")


def exchange(method, url, headers, body, timeout):
    """The status, the headers and the parsed JSON (None when it is none)."""
    request = urllib.request.Request(url, data=body, headers=headers, method=method)
    try:
        with _opener.open(request, timeout=timeout) as response:
            return response.status, response.headers, _json(response.read())
    except urllib.error.HTTPError as answer:
        with answer:
            if 300 <= answer.code < 400:
                raise ConnectionFailed(
                    f"The answer is a redirect ({answer.code} to {answer.headers.get('Location')}). "
                    "Redirects are not followed; check base_url."
                ) from None
            return answer.code, answer.headers, _json(answer.read())
    except (OSError, http.client.HTTPException) as cause:
        raise ConnectionFailed(f"{method} {url.split('?')[0]} was not answered.") from cause


def _json(text):
    try:
        return json.loads(text)
    except ValueError:
        return None
