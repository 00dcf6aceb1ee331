import type { Assertion, JsonType, Regression, Step } from './regression.js';

/** A finding as a test of Vitest. */
export function vitestOf({ id, section, message, baseUrl, steps, assertion, suite }: Regression): string {
  const title = JSON.stringify(`${id}: ${message}`);
  const head = `// ${id} (section ${section}), found by petstore-conformance: ${message}\n`;
  if (!assertion)
    return `${head}import { execFileSync } from 'node:child_process';
import { test } from 'vitest';

// What fits together in several responses is judged by the suite itself; the key is in PETSTORE_API_KEY.
test(${title}, { timeout: 300_000 }, () => {
  const base = process.env.PETSTORE_BASE_URL ?? ${JSON.stringify(baseUrl)};
  execFileSync('/bin/sh', ['-c', ${JSON.stringify(`${suite} --base-url="$0"`)}, base], { stdio: 'inherit' });
});
`;
  return `${head}import { expect, test } from 'vitest';

const base = process.env.PETSTORE_BASE_URL ?? ${JSON.stringify(baseUrl)};
const key = process.env.PETSTORE_API_KEY ?? '';

test(${title}, async () => {
${steps.map(sent).join('')}${asserted(assertion)}});
`;
}

function sent({ method, path, headers, body, assigns }: Step, index: number): string {
  const name = assigns === undefined ? 'response' : `response${index + 1}`;
  const fields = [
    `    method: '${method}',`,
    `    headers: { ${headers.map(([header, value]) => `${JSON.stringify(header)}: ${template(value)}`).join(', ')} },`,
    ...(body === undefined ? [] : [`    body: ${JSON.stringify(body)},`]),
    `    redirect: 'manual',`,
  ];
  const found = `  const ${assigns} = /"id"\\s*:\\s*"?(-?\\d+)/.exec(await ${name}.text())?.[1];\n`;
  return `  const ${name} = await fetch(${template(`{base}${path}`)}, {\n${fields.join('\n')}\n  });\n${assigns === undefined ? '' : found}`;
}

/** A text with the values of the names that stand in it in braces. */
function template(text: string): string {
  const literal = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll(/[`$]/g, '\\$&');
  return /\{(?:base|key|id1)\}/.test(text)
    ? `\`${literal.replaceAll(/\{(base|key|id1)\}/g, '${$1}')}\``
    : JSON.stringify(text);
}

const checks: Readonly<Record<JsonType, string>> = {
  json: 'expect(value).toBeDefined();',
  array: 'expect(Array.isArray(value)).toBe(true);',
  object: 'expect(value).toEqual(expect.any(Object));\n  expect(Array.isArray(value)).toBe(false);',
  string: 'expect(value).toEqual(expect.any(String));',
  integer: 'expect(Number.isInteger(value)).toBe(true);',
  state: "expect([undefined, 'available', 'pending', 'sold']).toContain(value);",
};

function asserted(assertion: Assertion): string {
  switch (assertion.kind) {
    case 'status':
      return `  expect(${JSON.stringify(assertion.statuses)}).toContain(response.status);\n`;
    case 'header':
      return `  expect(response.headers.get(${JSON.stringify(assertion.name)})).toMatch(new RegExp(${JSON.stringify(assertion.pattern)}));\n`;
    case 'member': {
      const { name, json } = assertion;
      if (json.startsWith('"'))
        return `  expect(JSON.parse(await response.text())[${JSON.stringify(name)}]).toBe(${json});\n`;
      // A double does not hold every int64.
      return `  expect(await response.text()).toMatch(/"${name}"\\s*:\\s*${json}\\s*[,}]/);\n`;
    }
    case 'type':
      return `  let value = JSON.parse(await response.text());
  for (const name of ${JSON.stringify(assertion.keys)}) value = value?.[name];
  ${checks[assertion.type]}
`;
  }
}
