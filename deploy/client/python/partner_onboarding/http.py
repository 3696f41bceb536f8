"""One HTTP exchange, with what became of it; redirects are never followed."""
import http.client
import json
import urllib.error
import urllib.request

from .errors import ConnectionFailed


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_args):
        return None


_opener = urllib.request.build_opener(_NoRedirect)


def exchange(method, url, headers, body, timeout):
    """The status, the headers and the parsed JSON (None when it is none)."""
    request = urllib.request.Request(url, data=body, headers=headers, method=method)
    try:
        with _opener.open(request, timeout=timeout) as response:
            return response.status, response.headers, _json(response.read())
    except urllib.error.HTTPError as answer:
        with answer:
            return answer.code, answer.headers, _json(answer.read())
    except (OSError, http.client.HTTPException) as cause:
        raise ConnectionFailed(f"{method} {url.split('?')[0]} was not answered.") from cause


def _json(text):
    try:
        return json.loads(text)
    except ValueError:
        return None
