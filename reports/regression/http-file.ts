import { UsageProblem } from '../../lib/explain/usage-problem.js';
import { identifierPattern, titleOf, type Assertion, type Regression } from './regression.js';

/** A finding as an HTTP file: editors and httpyac send it, JetBrains' and httpyac run the assertion, too. @throws UsageProblem if no single response shows it */
export function httpFileOf(regression: Regression): string {
  const { id, baseUrl, steps, assertion, suite } = regression;
  if (!assertion)
    throw new UsageProblem(`no single response shows ${id}: take --as=vitest or pytest, or run ${suite}`);
  const requests = steps.map(({ method, path, headers, body, assigns }) => {
    const lines = headers.map(([name, value]) => `${name}: ${named(value)}\n`).join('');
    const store = `client.global.set("${assigns}", /${identifierPattern}/.exec(JSON.stringify(response.body))[1]);`;
    const check = `client.test("${id}", () => client.assert(${condition(assertion)}));`;
    return `
### ${assigns === undefined ? id : 'an animal that it needs'}
${method} {{base}}${named(path)}
${lines}${body === undefined ? '' : `\n${body}\n`}
> {% ${assigns === undefined ? check : store} %}
`;
  });
  return `# ${titleOf(regression)}
# {{base}} is ${baseUrl}, {{key}} the key: set both in the environment of the client.
${requests.join('')}`;
}

function named(text: string): string {
  return text.replaceAll(/\{(key|id1)\}/g, '{{$1}}');
}

function condition({ of, names, pattern }: Assertion): string {
  const shown = {
    status: 'String(response.status)',
    header: `response.headers.valueOf(${JSON.stringify(names[0])}) || ""`,
    value: `JSON.stringify(response.body${names.map((name) => `[${JSON.stringify(name)}]`).join('')}) || ""`,
    text: 'JSON.stringify(response.body)',
  };
  return `new RegExp(${JSON.stringify(pattern)}).test(${shown[of]})`;
}
