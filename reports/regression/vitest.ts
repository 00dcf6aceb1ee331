import {
  headersText,
  identifierPattern,
  titleOf,
  withNames,
  type Regression,
  type Step,
} from './regression.js';

/** A finding as a test of Vitest. */
export function vitestOf(regression: Regression): string {
  const { id, message, baseUrl, steps, assertion, suite } = regression;
  const title = JSON.stringify(`${id}: ${message}`);
  const base = `process.env.PETSTORE_BASE_URL ?? ${JSON.stringify(baseUrl)}`;
  if (!assertion)
    return `// ${titleOf(regression)}
import { execFileSync } from 'node:child_process';
import { test } from 'vitest';

// What fits together in several responses is judged by the suite itself; the key is in PETSTORE_API_KEY.
test(${title}, { timeout: 300_000 }, () => {
  const base = ${base};
  execFileSync('/bin/sh', ['-c', ${JSON.stringify(`${suite} --base-url="$0"`)}, base], { stdio: 'inherit' });
});
`;
  const shown = {
    status: 'String(response.status)',
    header: `response.headers.get(${JSON.stringify(assertion.names[0])}) ?? ''`,
    value: `JSON.stringify(${JSON.stringify(assertion.names)}.reduce((value, name) => value?.[name], JSON.parse(text))) ?? ''`,
    text: 'text',
  };
  return `// ${titleOf(regression)}
import { expect, test } from 'vitest';

const base = ${base};
const key = process.env.PETSTORE_API_KEY ?? '';

test(${title}, async () => {
  let response, text;
${steps.map(sent).join('')}  expect(${shown[assertion.of]}).toMatch(new RegExp(${JSON.stringify(assertion.pattern)}));
});
`;
}

function sent(step: Step): string {
  const { method, path, body, assigns } = step;
  return `  response = await fetch(${withNames(`{base}${path}`)}, {
    method: '${method}',
    headers: ${headersText(step)},
    body: ${JSON.stringify(body)},
    redirect: 'manual',
  });
  text = await response.text();
${assigns === undefined ? '' : `  const ${assigns} = /${identifierPattern}/.exec(text)?.[1];\n`}`;
}
