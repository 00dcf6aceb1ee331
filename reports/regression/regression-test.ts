import { readFile } from 'node:fs/promises';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import { UsageProblem } from '../../lib/explain/usage-problem.js';
import { printable } from '../../lib/explain/printable.js';
import { packageFile } from '../../lib/run/suite-name.js';
import type { FinishedRun } from '../finished-run.js';
import { withRequestsBehind } from '../requests-behind.js';
import { recordedSteps, type Step } from './recorded-steps.js';

/** What a finding can be written as, and the template of each. */
const templates = { vitest: 'vitest.js', pytest: 'pytest.py', http: 'http.http', k6: 'k6.js' } as const;
export type TestKind = keyof typeof templates;
export const testKinds = Object.keys(templates) as TestKind[];

/**
 * The first finding of a requirement as a test that fails as long as the fault is there: it sends the recorded requests, or runs
 * the suite if only its rule can tell.
 * @param wanted The requirement; by default the first that failed, or else warned.
 * @throws UsageProblem if the requirement has no finding, or it can't be written so
 */
export async function regressionTest(run: FinishedRun, kind: TestKind, wanted?: string): Promise<string> {
  const { record } = run;
  const { perMinute, baseUrl } = record.target;
  const found = record.requirements.filter(({ findings }) => findings.length > 0);
  const id = wanted?.toUpperCase() ?? (found.find(({ verdict }) => verdict === 'fail') ?? found[0])?.id;
  const result = found.find((one) => one.id === id);
  const [finding] = result?.findings ?? [];
  if (!result || !finding) {
    const there = found.map((one) => one.id).join(', ') || 'none';
    throw new UsageProblem(`${id ?? 'the run'} has no finding in this run; there are ${there}`);
  }
  if (kind === 'k6' && (!/^(?:LIMIT|RATE)-/.test(result.id) || perMinute === undefined))
    throw new UsageProblem(`${result.id} is no matter of load: take --as=vitest, pytest or http`);
  const { steps, expected } = recordedSteps(finding, run.exchanges(), baseUrl) ?? {};
  const suite = suiteCommand(await withRequestsBehind(run, [result]), record);
  if (kind === 'http' && !steps)
    throw new UsageProblem(
      `no status and no header shows ${result.id}: take --as=vitest or pytest, or run ${suite}`,
    );
  const file = steps || kind === 'k6' ? templates[kind] : templates[kind].replace('.', '-suite.');
  const text = await readFile(packageFile(`reports/regression/templates/${file}`), 'utf8');
  const message = printable(finding.message);
  return filled(text, {
    title: `${result.id} (section ${result.section}), found by petstore-conformance: ${message}`,
    id: result.id,
    name: result.id.toLowerCase().replace('-', '_'),
    base: baseUrl,
    requests: kind === 'http' ? httpText(steps ?? []) : steps,
    expected,
    suite,
    perMinute,
  });
}

/** The command of the suite that tries requirements. */
function suiteCommand(ids: readonly string[], { target, run }: RunRecord): string {
  const limits = ids.some((id) => id.startsWith('LIMIT-')) ? ` --limits=${run.limits}` : '';
  const plan = target.planGiven ? ` --plan=${target.plan}` : '';
  return `npx --yes petstore-conformance --only=${ids.join(',')}${plan}${limits} --report=none`;
}

/** A template with values in the place of their names: in quotes as JSON, which is a literal of JavaScript and of Python. */
function filled(template: string, values: Readonly<Record<string, unknown>>): string {
  return template.replaceAll(/(['"]?)<(\w+)>\1/g, (_, quote: string, name: string) =>
    quote === '' ? String(values[name]) : JSON.stringify(values[name], null, 2),
  );
}

/** Requests as an HTTP client reads them. The first of two stores the id of the animal that the second names. */
function httpText(steps: readonly Step[]): string {
  const named = (text: string): string => text.replaceAll(/\{(key|id)\}/g, '{{$1}}');
  const store = String.raw`> {% client.global.set("id", /"id"\s*:\s*"?(-?\d+)/.exec(JSON.stringify(response.body))[1]); %}`;
  return steps
    .map(({ method, path, headers, body }) => {
      const lines = Object.entries(headers)
        .map(([name, value]) => `${name}: ${named(value)}\n`)
        .join('');
      return `${method} {{base}}${named(path)}\n${lines}${body === undefined ? '' : `\n${body}\n`}`;
    })
    .join(`${store}\n\n###\n`);
}
