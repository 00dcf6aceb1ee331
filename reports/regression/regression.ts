import { valueText } from '../../lib/evidence/animal.js';
import { Exchange } from '../../lib/evidence/exchange.js';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import type { Finding } from '../../lib/evidence/record/requirement-result.js';
import { UsageProblem } from '../../lib/explain/usage-problem.js';
import { printable } from '../../lib/explain/printable.js';
import type { FinishedRun } from '../finished-run.js';
import { withRequestsBehind } from '../requests-behind.js';

/** One request of a test, as it was recorded. What stands for the key, or for an identifier, is a name in braces. */
export interface Step {
  readonly method: string;
  /** Behind the base address: `/pets/{id1}`. */
  readonly path: string;
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
  readonly body: string | undefined;
  /** The name of the identifier that its response assigns, if a later step needs it. */
  readonly assigns: string | undefined;
}

/** What the response of the last step must show: a part of it, as a text that fits a regular expression. */
export interface Assertion {
  /** A `value` is the JSON text of a part of the body, empty if it is not there. */
  readonly of: 'status' | 'header' | 'value' | 'text';
  /** The name of the header, or the names that lead to the value. */
  readonly names: readonly string[];
  readonly pattern: string;
}

/** A finding as a test that fails as long as it is there. */
export interface Regression {
  readonly id: string;
  readonly section: string;
  readonly message: string;
  readonly baseUrl: string;
  readonly perMinute: number | undefined;
  /** Without steps only the rule of the suite can tell: the test runs the requirement. */
  readonly steps: readonly Step[];
  readonly assertion: Assertion | undefined;
  /** The command of the suite that tries the requirement. */
  readonly suite: string;
}

/** They make no difference to the response, or the client sends them by itself. */
const automatic = new Set(['user-agent', 'content-length', 'host', 'accept-encoding', 'connection']);
/** What each header of sections 4, 5 and 8 must look like, as a regular expression. */
const patterns: Readonly<Record<string, string>> = {
  'x-ratelimit-limit': '^[1-9][0-9]*$',
  'x-ratelimit-remaining': '^[0-9]+$',
  'x-ratelimit-reset': '^[0-9]{10}$',
  'www-authenticate': '^[Bb]earer',
  'content-type': '^application/json( *;.*)?$',
  deprecation: '^@[0-9]+$',
  sunset: '^Thu, 05 Dec 2030 ',
};
/** What the JSON text of each form and property looks like; any value is JSON. A status is one of the three of section 2. */
const values: Readonly<Record<string, string>> = {
  JSON: '.',
  Pets: '^\\[',
  Pet: '^\\{',
  Error: '^\\{',
  id: '^-?[0-9]+$',
  categoryId: '^-?[0-9]+$',
  name: '^"',
  code: '^"',
  message: '^"',
  status: '^$|^"(available|pending|sold)"$',
};

/**
 * The first finding of a requirement as a test.
 * @throws UsageProblem if the requirement has none
 */
export async function regressionOf(run: FinishedRun, id: string): Promise<Regression> {
  const { record } = run;
  const result = record.requirements.find((one) => one.id === id);
  const [finding] = result?.findings ?? [];
  if (!result || !finding) {
    const failed = record.requirements.filter(({ findings }) => findings.length > 0).map((one) => one.id);
    throw new UsageProblem(`${id} has no finding in this run; there are ${failed.join(', ') || 'none'}`);
  }
  const all: Exchange[] = [];
  for await (const line of run.exchanges()) all.push(new Exchange(line));
  const [shown, assertion] = shownBy(finding, all) ?? [];
  const steps = shown ? stepsTo(shown, all, record.target.baseUrl) : [];
  return {
    id,
    section: result.section,
    message: printable(finding.message),
    baseUrl: record.target.baseUrl,
    perMinute: record.target.perMinute,
    steps,
    assertion: steps.length > 0 ? assertion : undefined,
    suite: suiteCommand(await withRequestsBehind(run, [result]), record),
  };
}

function suiteCommand(ids: readonly string[], { target, run }: RunRecord): string {
  const limits = ids.some((id) => id.startsWith('LIMIT-')) ? ` --limits=${run.limits}` : '';
  const plan = target.planGiven ? ` --plan=${target.plan}` : '';
  return `npx --yes petstore-conformance --only=${ids.join(',')}${plan}${limits} --report=none`;
}

/** The exchange that a test repeats, and what its response has to show; undefined if no single response shows it. */
function shownBy(
  { fact, pointer = '', exchanges }: Finding,
  all: readonly Exchange[],
): readonly [Exchange, Assertion] | undefined {
  const [first, second] = exchanges.slice(0, 2).map((id) => all.find((one) => one.id === id));
  if (!first || !fact) return undefined;
  if (fact.kind === 'status' && fact.expected.length > 0)
    return [first, { of: 'status', names: [], pattern: `^(${fact.expected.join('|')})$` }];
  if (fact.kind === 'header') {
    const pattern = patterns[fact.header.toLowerCase()];
    return pattern === undefined ? undefined : [first, { of: 'header', names: [fact.header], pattern }];
  }
  if (fact.kind === 'body') {
    // The status of an Error is that of the response.
    const isOwn = fact.form === 'Error' && fact.field === 'status';
    const pattern = isOwn ? `^${fact.status}$` : values[fact.field === '' ? fact.form : fact.field];
    return pattern === undefined
      ? undefined
      : [first, { of: 'value', names: pointer.split('/').slice(1), pattern }];
  }
  if (fact.kind !== 'value' || fact.field === 'id' || first.operation !== 'createPet') return undefined;
  if (!(fact.field in first.members)) return undefined;
  const sent = valueText(first.members[fact.field]);
  // What the creation returned as it was sent, getPet shows otherwise; in a listing other animals stand around it.
  const shown = valueText(first.animal?.shown[fact.field]) === sent ? second : first;
  return shown && shown.operation !== 'listPets' ? [shown, isMember(fact.field, sent)] : undefined;
}

/** A number is looked for in the text: what parses it as a double does not hold every int64. */
function isMember(name: string, json: string): Assertion {
  const literal = json.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return json.startsWith('"')
    ? { of: 'value', names: [name], pattern: `^${literal}$` }
    : { of: 'text', names: [], pattern: `"${name}"\\s*:\\s*${literal}\\s*[,}]` };
}

/** The request, behind the creation of the animal that it names; none if it can't be written into a test as it was sent. */
function stepsTo(shown: Exchange, all: readonly Exchange[], baseUrl: string): Step[] {
  const id = /\/pets\/(-?\d+)/.exec(shown.request.url)?.[1];
  const creation =
    id === undefined ? undefined : all.find((one) => one.operation === 'createPet' && one.animal?.id === id);
  const exchanges = creation ? [creation, shown] : [shown];
  if (!exchanges.every(isPlain)) return [];
  return exchanges.map(({ request }, index) => ({
    method: request.method,
    path: pathOf(request.url, baseUrl, creation && index > 0 ? id : undefined),
    headers: request.headers
      .filter(([name]) => !automatic.has(name.toLowerCase()))
      .map(([name, value]) => [name, name === 'Authorization' ? value.replace(/\$\w+$/, '{key}') : value]),
    body: request.body,
    assigns: creation && index === 0 ? 'id1' : undefined,
  }));
}

function pathOf(url: string, baseUrl: string, id: string | undefined): string {
  const path = url.startsWith(baseUrl) ? url.slice(baseUrl.length) : new URL(url).pathname;
  return id === undefined ? path : path.replace(`/pets/${id}`, '/pets/{id1}');
}

/** Whether a test can send it: the key as it is or none of it, and text. */
function isPlain({ request, credential }: Exchange): boolean {
  const [authorization = ''] = request.headers.flatMap(([name, value]) =>
    name === 'Authorization' ? [value] : [],
  );
  return request.latin1 !== true && credential !== 'other' && /^[^$]*(?:\$\w+)?$/.test(authorization);
}

/** The first line of a test: what it shows. */
export function titleOf({ id, section, message }: Regression): string {
  return `${id} (section ${section}), found by petstore-conformance: ${message}`;
}

/** A text with the values of the names that stand in it in braces, as JavaScript and Python write it. */
export function withNames(text: string): string {
  const parts = text.split(/\{(base|key|id1)\}/);
  return parts
    .map((part, index) => (index % 2 === 0 ? JSON.stringify(part) : part))
    .filter((part) => part !== '""' || parts.length === 1)
    .join(' + ');
}

/** The headers of a step as an object of JavaScript, or a dictionary of Python. */
export function headersText({ headers }: Step): string {
  return `{ ${headers.map(([name, value]) => `${JSON.stringify(name)}: ${withNames(value)}`).join(', ')} }`;
}

/** Finds the identifier in the text of a response. */
export const identifierPattern = String.raw`"id"\s*:\s*"?(-?\d+)`;
