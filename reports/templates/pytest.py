# <title>
import os
import re
import urllib.error
import urllib.request

base = os.environ.get("PETSTORE_BASE_URL", "<base>")
key = os.environ.get("PETSTORE_API_KEY", "")

# In braces: the key, and the id of the animal that the first request creates.
requests = "<requests>"
# The statuses that the last response may have.
expected = "<expected>"


class AsItIs(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def send(method, url, headers, body=None):
    data = None if body is None else body.encode("utf-8", "replace")
    request = urllib.request.Request(url, data, headers, method=method)
    try:
        response = urllib.request.build_opener(AsItIs).open(request, timeout=30)
    except urllib.error.HTTPError as error:
        response = error
    return response.status, response.read().decode("utf-8", "replace")


def test_<name>():
    found = None
    for one in requests:
        path = one["path"].replace("{id}", found or "")
        sent = {name: value.replace("{key}", key) for name, value in one["headers"].items()}
        status, body = send(one["method"], base + path, sent, one.get("body"))
        number = re.search(r'"id"\s*:\s*"?(-?\d+)', body)
        found = found or (number and number.group(1))
    assert status in expected
