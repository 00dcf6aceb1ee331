import {
  headersText,
  identifierPattern,
  titleOf,
  withNames,
  type Regression,
  type Step,
} from './regression.js';

/** A finding as a test of pytest, which needs nothing but Python. */
export function pytestOf(regression: Regression): string {
  const { id, baseUrl, steps, assertion, suite } = regression;
  const name = `test_${id.toLowerCase().replace('-', '_')}`;
  const base = `base = os.environ.get("PETSTORE_BASE_URL", ${JSON.stringify(baseUrl)})`;
  if (!assertion)
    return `# ${titleOf(regression)}
import os
import subprocess

${base}


def ${name}():
    # What fits together in several responses is judged by the suite itself; the key is in PETSTORE_API_KEY.
    subprocess.run(${JSON.stringify(suite)}.split() + [f"--base-url={base}"], check=True)
`;
  const shown = {
    status: 'str(status)',
    header: `headers.get(${JSON.stringify(assertion.names[0])}, "")`,
    value: `part(json.loads(body), ${JSON.stringify(assertion.names)})`,
    text: 'body',
  };
  return `# ${titleOf(regression)}
import json
import os
import re
import urllib.error
import urllib.request

${base}
key = os.environ.get("PETSTORE_API_KEY", "")


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
    return response.status, response.headers, response.read().decode("utf-8", "replace")


def part(value, names):
    try:
        for name in names:
            value = value[int(name) if isinstance(value, list) else name]
    except (IndexError, KeyError, TypeError):
        return ""
    return json.dumps(value, ensure_ascii=False)


def ${name}():
${steps.map(sent).join('')}    assert re.search(${JSON.stringify(assertion.pattern)}, ${shown[assertion.of]})
`;
}

function sent(step: Step): string {
  const { method, path, body, assigns } = step;
  const given = [`"${method}"`, withNames(`{base}${path}`), headersText(step)];
  const all = body === undefined ? given : [...given, JSON.stringify(body)];
  const found = `    ${assigns} = re.search(r'${identifierPattern}', body).group(1)\n`;
  return `    status, headers, body = send(${all.join(', ')})\n${assigns === undefined ? '' : found}`;
}
