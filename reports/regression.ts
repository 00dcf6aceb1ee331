import { readFile } from 'node:fs/promises';
import type { RunRecord } from '../lib/evidence/record/record.js';
import { UsageProblem } from '../lib/explain/usage-problem.js';
import { printable } from '../lib/explain/printable.js';
import { packageFile } from '../lib/run/suite-name.js';
import { type FinishedRun, withRequestsBehind } from './finished-run.js';
import type { Exchange } from '../lib/evidence/exchange.js';
import type { Finding } from '../lib/evidence/record/requirement-result.js';

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
  const text = await readFile(packageFile(`reports/templates/${file}`), 'utf8');
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
function httpText(steps: ReadonlyArray<ReturnType<typeof stepOf>>): string {
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

/** They make no difference to the response, or the client sends them by itself. */
const automatic = new Set(['user-agent', 'content-length', 'host', 'accept-encoding', 'connection']);

/** What each header of sections 4, 5 and 8 must look like. */
const headerPatterns: Readonly<Record<string, string>> = {
  'x-ratelimit-limit': '^[1-9][0-9]*$',
  'x-ratelimit-remaining': '^[0-9]+$',
  'x-ratelimit-reset': '^[0-9]{10}$',
  'www-authenticate': '^[Bb]earer',
  'content-type': '^application/json( *;.*)?$',
  deprecation: '^@[0-9]+$',
  sunset: '^Thu, 05 Dec 2030 ',
};

/**
 * The requests that a test of a finding sends, and what the last response has to show; undefined if no status and no header
 * shows the finding, or its request can't be written into a test as it was sent.
 */
function recordedSteps(finding: Finding, all: readonly Exchange[], baseUrl: string) {
  const shown = all.find(({ id }) => id === finding.exchanges[0]);
  const expected = expectationOf(finding);
  if (!shown || !expected) return undefined;
  const id = /\/pets\/(-?\d+)/.exec(shown.request.url)?.[1];
  const creation =
    id === undefined ? undefined : all.find((one) => one.operation === 'createPet' && one.animal?.id === id);
  const exchanges = creation ? [creation, shown] : [shown];
  if (!exchanges.every(isPlain)) return undefined;
  return { steps: exchanges.map(({ request }) => stepOf(request, baseUrl, creation && id)), expected };
}

/** What the last response must show: its status, or the header of a name, fits a regular expression. */
function expectationOf({ fact }: Finding): { header?: string; pattern: string } | undefined {
  if (fact?.kind === 'status' && fact.expected.length > 0)
    return { pattern: `^(${fact.expected.join('|')})$` };
  const pattern = fact?.kind === 'header' ? headerPatterns[fact.header.toLowerCase()] : undefined;
  return fact?.kind === 'header' && pattern !== undefined ? { header: fact.header, pattern } : undefined;
}

/**
 * One request of a test, as it was recorded: its path is what follows the base address. In braces stand names: of the key, and
 * of the identifier of the animal that the first step creates.
 */
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
