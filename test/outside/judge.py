"""Reads documents and exchanges as JSON, and prints where openapi-core finds that they differ."""
import collections, json, re, sys
from urllib.parse import parse_qs, urlsplit
from openapi_core import OpenAPI
from openapi_core.templating.paths.exceptions import PathError
from openapi_core.testing import MockRequest, MockResponse

# Polls repeat the same call.
MOST_OF_A_KIND = 10
# The schema decides about an empty text. OpenAPI 3.1 advises against allowEmptyValue, which openapi-core wants here.
NO_FAULT = re.compile("query parameter cannot be empty")


def closed(value):
    """A caller may send more than the document names. An answer has no more."""
    if isinstance(value, list):
        return [closed(inner) for inner in value]
    if not isinstance(value, dict):
        return value
    more = {"additionalProperties": False} if value.get("type") == "object" and "properties" in value else {}
    return more | {name: closed(inner) for name, inner in value.items()}


given = json.load(sys.stdin)
host = given["documents"][0]["servers"][0]["url"]
documents = [(OpenAPI.from_dict(document), OpenAPI.from_dict(closed(document))) for document in given["documents"]]


def request_of(exchange):
    url = urlsplit(exchange["url"])
    headers = exchange["headers"]
    cookies = dict(pair.split("=", 1) for pair in headers.get("cookie", "").split("; ") if "=" in pair)
    query = parse_qs(url.query, keep_blank_values=True)
    return MockRequest(
        host, exchange["method"].lower(), url.path, headers=headers, cookies=cookies,
        args={name: value if len(value) > 1 else value[0] for name, value in query.items()},
        data=exchange["body"].encode() or None, content_type=headers.get("content-type", ""),
    )


def words(error):
    while error.__cause__ is not None:
        error = error.__cause__
    details = [f"{'/'.join(map(str, detail.path))}: {detail.message}" for detail in getattr(error, "schema_errors", [])]
    return " | ".join(details) or str(error)


found, judged = collections.Counter(), collections.Counter()
for exchange in given["exchanges"]:
    request, answer = request_of(exchange), exchange["answer"]
    kind = f"{exchange['method']} {re.sub('[0-9a-f-]{36}', '{}', request.path)} {answer['status']}"
    if judged[kind] >= MOST_OF_A_KIND:
        continue
    response = MockResponse(
        answer["body"].encode(), answer["status"], headers=answer["headers"],
        content_type=answer["headers"].get("content-type", ""),
    )
    for of_requests, of_answers in documents:
        errors = list(of_answers.iter_response_errors(request, response))
        if any(isinstance(error, PathError) for error in errors):
            continue
        judged[kind] += 1
        found.update(f"{kind}: the answer: {words(error)}" for error in errors)
        if answer["status"] < 300:
            refused = map(words, of_requests.iter_request_errors(request))
            found.update(f"{kind}: the request: {error}" for error in refused if not NO_FAULT.search(error))
print(json.dumps({"judged": judged.total(), "found": found}))
