import { readFile } from 'node:fs/promises';
import type { Exchange } from '../lib/evidence/exchange.js';
import type { Finding } from '../lib/evidence/record/record.js';
import { printable } from '../lib/explain/printable.js';
import { UsageProblem } from '../lib/explain/usage-problem.js';
import { packageFile } from '../lib/run/suite-name.js';
import { type FinishedRun, withRequestsBehind } from './finished-run.js';

const templates = { vitest: 'vitest.js', pytest: 'pytest.py', http: 'http.http', k6: 'k6.js' } as const;
export type TestKind = keyof typeof templates;
export const testKinds = Object.keys(templates) as TestKind[];

/**
 * A requirement's first finding as a test that fails while the fault is there: it sends the recorded requests, or runs the suite
 * if only a rule can tell. @param wanted by default the first that failed, or else warned. @throws UsageProblem
 */
export async function regressionTest(run: FinishedRun, kind: TestKind, wanted?: string): Promise<string> {
  const { target, requirements, run: recorded } = run.record;
  const { perMinute, baseUrl } = target;
  const found = requirements.filter(({ findings }) => findings.length > 0);
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
  const ids = await withRequestsBehind(run, [result]);
  const plan = target.planGiven ? ` --plan=${target.plan}` : '';
  const limits = ids.some((one) => one.startsWith('LIMIT-')) ? ` --limits=${recorded.limits}` : '';
  const suite = `npx --yes petstore-conformance --only=${ids.join(',')}${plan}${limits} --report=none`;
  if (kind === 'http' && !steps)
    throw new UsageProblem(`no status shows ${result.id}: take --as=vitest or pytest, or run ${suite}`);
  const file = steps || kind === 'k6' ? templates[kind] : templates[kind].replace('.', '-suite.');
  const values: Readonly<Record<string, unknown>> = {
    title: `${result.id} (section ${result.section}), found by petstore-conformance: ${printable(finding.message)}`,
    id: result.id,
    name: result.id.toLowerCase().replace('-', '_'),
    base: baseUrl,
    requests: kind === 'http' ? httpText(steps ?? []) : steps,
    expected,
    suite,
    perMinute,
  };
  const template = await readFile(packageFile(`reports/templates/${file}`), 'utf8');
  // In quotes as JSON, which is a literal of JavaScript and of Python.
  return template.replaceAll(/(['"]?)<(\w+)>\1/g, (_, quote: string, name: string) =>
    quote === '' ? String(values[name]) : JSON.stringify(values[name], null, 2),
  );
}

/** Requests as an HTTP client reads them. The first of two stores the id of the animal that the second names. */
function httpText(steps: ReadonlyArray<ReturnType<typeof stepOf>>): string {
  const store = String.raw`> {% client.global.set("id", /"id"\s*:\s*"?(-?\d+)/.exec(JSON.stringify(response.body))[1]); %}`;
  const texts = steps.map(({ method, path, headers, body }) => {
    const lines = Object.entries(headers).map((header) => `${header.join(': ')}\n`);
    const head = `${method} {base}${path}\n${lines.join('')}`.replaceAll(/\{(\w+)\}/g, '{{$1}}');
    return `${head}${body === undefined ? '' : `\n${body}\n`}`;
  });
  return texts.join(`${store}\n\n###\n`);
}

/** They make no difference to the response, or the client sends them by itself. */
const automatic = new Set(['user-agent', 'content-length', 'host', 'accept-encoding', 'connection']);

/** What a test of a finding sends, and the statuses that the last response may have; undefined if no status shows it. */
function recordedSteps({ fact, exchanges: [id] }: Finding, all: readonly Exchange[], baseUrl: string) {
  const shown = all.find((one) => one.id === id);
  const { expected = [] } = fact ?? {};
  if (!shown || expected.length === 0) return undefined;
  const animal = /\/pets\/(-?\d+)/.exec(shown.request.url)?.[1];
  const creation = all.find(
    (one) => one.operation === 'createPet' && animal !== undefined && one.animal?.id === animal,
  );
  const exchanges = creation ? [creation, shown] : [shown];
  if (!exchanges.every(isPlain)) return undefined;
  return { steps: exchanges.map(({ request }) => stepOf(request, baseUrl, creation && animal)), expected };
}

/** One request of a test. In braces stand the names of the key, and of the animal's identifier that the first step creates. */
function stepOf({ method, url, ...sent }: Exchange['request'], baseUrl: string, id: string | undefined) {
  const path = url.startsWith(baseUrl) ? url.slice(baseUrl.length) : new URL(url).pathname;
  const headers = sent.headers
    .filter(([name]) => !automatic.has(name.toLowerCase()))
    .map(([name, value]) => [name, name === 'Authorization' ? value.replace(/\$\w+$/, '{key}') : value]);
  return {
    method,
    path: id === undefined ? path : path.replace(`/pets/${id}`, '/pets/{id}'),
    headers: Object.fromEntries(headers) as Readonly<Record<string, string>>,
    body: sent.body,
  };
}

/** Whether a test can send it: the key as it is or none of it, each header once, and text. */
function isPlain({ request, credential }: Exchange): boolean {
  const headers: Readonly<Record<string, string>> = Object.fromEntries(request.headers);
  const isOnce = Object.keys(headers).length === request.headers.length;
  const isOwnKey = credential !== 'other' && /^[^$]*(?:\$\w+)?$/.test(headers['Authorization'] ?? '');
  return request.latin1 !== true && isOnce && isOwnKey;
}
