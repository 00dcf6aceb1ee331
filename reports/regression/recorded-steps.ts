import { valueText } from '../../lib/evidence/animal.js';
import type { Exchange } from '../../lib/evidence/exchange.js';
import type { Finding } from '../../lib/evidence/record/requirement-result.js';

/** One request of a test, as it was recorded. What stands for the key, or for an identifier, is a name in braces. */
export interface Step {
  readonly method: string;
  /** Behind the base address: `/pets/{id}`, the animal that the first step creates. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** What a part of a response must show, as a text that fits a regular expression. */
export interface Expectation {
  /** A `value` is the JSON text of a part of the body, empty if it is not there. */
  readonly part: 'status' | 'header' | 'value' | 'text';
  /** The name of the header, or the names that lead to the value. */
  readonly names: readonly string[];
  readonly pattern: string;
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

/** What the JSON text of each form and property looks like; any value is JSON. A status is one of the three of section 2. */
const valuePatterns: Readonly<Record<string, string>> = {
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
 * The requests that a test of a finding sends, and what the last response has to show; undefined if no single response shows
 * the finding, or its request can't be written into a test as it was sent.
 */
export function recordedSteps(
  finding: Finding,
  all: readonly Exchange[],
  baseUrl: string,
): { readonly steps: readonly Step[]; readonly expected: Expectation } | undefined {
  const [shown, expected] = shownBy(finding, all) ?? [];
  if (!shown || !expected) return undefined;
  const id = /\/pets\/(-?\d+)/.exec(shown.request.url)?.[1];
  const creation =
    id === undefined ? undefined : all.find((one) => one.operation === 'createPet' && one.animal?.id === id);
  const exchanges = creation ? [creation, shown] : [shown];
  if (!exchanges.every(isPlain)) return undefined;
  return { steps: exchanges.map(({ request }) => stepOf(request, baseUrl, creation && id)), expected };
}

/** The exchange that a test repeats, and what its response has to show. */
function shownBy(
  { fact, pointer = '', exchanges }: Finding,
  all: readonly Exchange[],
): readonly [Exchange, Expectation] | undefined {
  const [first, second] = exchanges.slice(0, 2).map((id) => all.find((one) => one.id === id));
  const expecting = (part: Expectation['part'], names: readonly string[], pattern: string | undefined) =>
    first && pattern !== undefined ? ([first, { part, names, pattern }] as const) : undefined;
  if (!first || !fact) return undefined;
  if (fact.kind === 'status' && fact.expected.length > 0)
    return expecting('status', [], `^(${fact.expected.join('|')})$`);
  if (fact.kind === 'header')
    return expecting('header', [fact.header], headerPatterns[fact.header.toLowerCase()]);
  if (fact.kind === 'body') {
    // The status of an Error is that of the response.
    const isOwn = fact.form === 'Error' && fact.field === 'status';
    const pattern = isOwn ? `^${fact.status}$` : valuePatterns[fact.field === '' ? fact.form : fact.field];
    return expecting('value', pointer.split('/').slice(1), pattern);
  }
  if (fact.kind !== 'value' || fact.field === 'id' || first.operation !== 'createPet') return undefined;
  if (!(fact.field in first.members)) return undefined;
  const sent = valueText(first.members[fact.field]);
  // What the creation returned as it was sent, getPet shows otherwise; in a listing other animals stand around it.
  const shown = valueText(first.animal?.shown[fact.field]) === sent ? second : first;
  return shown && shown.operation !== 'listPets' ? [shown, isMember(fact.field, sent)] : undefined;
}

/** A number is looked for in the text: what parses it as a double does not hold every int64. */
function isMember(name: string, json: string): Expectation {
  const literal = json.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return json.startsWith('"')
    ? { part: 'value', names: [name], pattern: `^${literal}$` }
    : { part: 'text', names: [], pattern: `"${name}"\\s*:\\s*${literal}\\s*[,}]` };
}

function stepOf(
  { method, url, headers, body }: Exchange['request'],
  baseUrl: string,
  id: string | undefined,
): Step {
  const path = url.startsWith(baseUrl) ? url.slice(baseUrl.length) : new URL(url).pathname;
  return {
    method,
    path: id === undefined ? path : path.replace(`/pets/${id}`, '/pets/{id}'),
    headers: Object.fromEntries(
      headers
        .filter(([name]) => !automatic.has(name.toLowerCase()))
        .map(([name, value]) => [name, name === 'Authorization' ? value.replace(/\$\w+$/, '{key}') : value]),
    ),
    body,
  };
}

/** Whether a test can send it: the key as it is or none of it, each header once, and text. */
function isPlain({ request, credential }: Exchange): boolean {
  const headers: Readonly<Record<string, string>> = Object.fromEntries(request.headers);
  const isOnce = Object.keys(headers).length === request.headers.length;
  const isOwnKey = credential !== 'other' && /^[^$]*(?:\$\w+)?$/.test(headers['Authorization'] ?? '');
  return request.latin1 !== true && isOnce && isOwnKey;
}
