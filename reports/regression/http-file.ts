import type { Assertion, JsonType, Regression, Step } from './regression.js';

/** A finding as an HTTP file: editors and httpyac send it, JetBrains' and httpyac run the assertion, too. */
export function httpFileOf({ id, section, message, baseUrl, steps, assertion, suite }: Regression): string {
  const head = `# ${id} (section ${section}), found by petstore-conformance: ${message}\n`;
  if (!assertion)
    return `${head}# What fits together in several responses is judged by the suite itself:
# ${suite} --base-url=${baseUrl}
GET {{base}}/pets
Authorization: Bearer {{key}}
`;
  const requests = steps.map((step, index) =>
    sent(step, index === steps.length - 1 ? assertion : undefined, id),
  );
  return `${head}# {{base}} is ${baseUrl}, {{key}} the key: set both in the environment of the client.\n${requests.join('')}`;
}

function sent(
  { method, path, headers, body, assigns }: Step,
  assertion: Assertion | undefined,
  id: string,
): string {
  const lines = headers.map(([name, value]) => `${name}: ${named(value)}\n`).join('');
  const store = `client.global.set("${assigns}", /"id"\\s*:\\s*"?(-?\\d+)/.exec(JSON.stringify(response.body))[1]);`;
  const check = assertion && `client.test("${id}", () => client.assert(${condition(assertion)}));`;
  return `
### ${assertion ? id : 'an animal that it needs'}
${method} {{base}}${named(path)}
${lines}${body === undefined ? '' : `\n${body}\n`}
> {% ${check ?? store} %}
`;
}

function named(text: string): string {
  return text.replaceAll(/\{(key|id1)\}/g, '{{$1}}');
}

const types: Readonly<Record<JsonType, string>> = {
  json: 'value !== undefined',
  array: 'Array.isArray(value)',
  object: 'typeof value === "object" && !Array.isArray(value)',
  string: 'typeof value === "string"',
  integer: 'Number.isInteger(value)',
  state: '[undefined, "available", "pending", "sold"].includes(value)',
};

function condition(assertion: Assertion): string {
  switch (assertion.kind) {
    case 'status':
      return `${JSON.stringify(assertion.statuses)}.includes(response.status)`;
    case 'header':
      return `/${assertion.pattern.replaceAll('/', '\\/')}/.test(response.headers.valueOf("${assertion.name}"))`;
    case 'member':
      return `String(response.body["${assertion.name}"]) === String(${assertion.json})`;
    case 'type': {
      const place = assertion.keys.map((key) => `[${JSON.stringify(key)}]`).join('');
      return `(value => ${types[assertion.type]})(response.body${place})`;
    }
  }
}
