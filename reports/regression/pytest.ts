import type { Assertion, JsonType, Regression, Step } from './regression.js';

/** A finding as a test of pytest, which needs nothing but Python. */
export function pytestOf({ id, section, message, baseUrl, steps, assertion, suite }: Regression): string {
  const name = `test_${id.toLowerCase().replace('-', '_')}`;
  const head = `# ${id} (section ${section}), found by petstore-conformance: ${message}\n`;
  const base = `BASE = os.environ.get("PETSTORE_BASE_URL", ${JSON.stringify(baseUrl)})\n`;
  if (!assertion)
    return `${head}import os
import subprocess

${base}

def ${name}():
    # What fits together in several responses is judged by the suite itself; the key is in PETSTORE_API_KEY.
    subprocess.run(${JSON.stringify(suite)}.split() + [f"--base-url={BASE}"], check=True)
`;
  return `${head}import json
import os
import re
import urllib.error
import urllib.request

${base}KEY = os.environ.get("PETSTORE_API_KEY", "")


class AsItIs(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def send(method, path, headers, body=None):
    data = None if body is None else body.encode("utf-8", "replace")
    request = urllib.request.Request(BASE + path, data, headers, method=method)
    try:
        response = urllib.request.build_opener(AsItIs).open(request, timeout=30)
    except urllib.error.HTTPError as error:
        response = error
    return response.status, response.headers, response.read()


def ${name}():
${steps.map(sent).join('')}${asserted(assertion)}`;
}

function sent({ method, path, headers, body, assigns }: Step): string {
  const fields = headers.map(([name, value]) => `${JSON.stringify(name)}: ${template(value)}`).join(', ');
  const parts = [
    `"${method}"`,
    template(path),
    `{${fields}}`,
    ...(body === undefined ? [] : [JSON.stringify(body)]),
  ];
  const found = `    ${assigns} = re.search(rb'"id"\\s*:\\s*"?(-?\\d+)', body).group(1).decode()\n`;
  return `    status, headers, body = send(${parts.join(', ')})\n${assigns === undefined ? '' : found}`;
}

/** A text with the values of the names that stand in it in braces. */
function template(text: string): string {
  const parts = text.split(/\{(key|id1)\}/);
  return parts
    .map((part, index) => (index % 2 === 0 ? JSON.stringify(part) : part === 'key' ? 'KEY' : part))
    .filter((part) => part !== '""' || parts.length === 1)
    .join(' + ');
}

const checks: Readonly<Record<JsonType, string>> = {
  json: '    assert True',
  array: '    assert isinstance(value, list)',
  object: '    assert isinstance(value, dict)',
  string: '    assert isinstance(value, str)',
  integer: '    assert isinstance(value, int) and not isinstance(value, bool)',
  state: '    assert value in (None, "available", "pending", "sold")',
};

function asserted(assertion: Assertion): string {
  switch (assertion.kind) {
    case 'status':
      return `    assert status in ${JSON.stringify(assertion.statuses)}\n`;
    case 'header':
      return `    assert re.search(${JSON.stringify(assertion.pattern)}, headers.get(${JSON.stringify(assertion.name)}, ""))\n`;
    case 'member':
      return `    assert json.loads(body)[${JSON.stringify(assertion.name)}] == json.loads(${JSON.stringify(assertion.json)})\n`;
    case 'type': {
      const keys = assertion.keys.map((key) => (/^\d+$/.test(key) ? Number(key) : key));
      return `    value = json.loads(body)
    for name in ${JSON.stringify(keys)}:
        value = value[name] if isinstance(value, list) else value.get(name)
${checks[assertion.type]}
`;
    }
  }
}
