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

/** What the last response must show: its status, or the header of a name, fits a regular expression. */
interface Expectation {
  readonly header: string | undefined;
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

/**
 * The requests that a test of a finding sends, and what the last response has to show; undefined if no status and no header
 * shows the finding, or its request can't be written into a test as it was sent.
 */
export function recordedSteps(
  finding: Finding,
  all: readonly Exchange[],
  baseUrl: string,
): { readonly steps: readonly Step[]; readonly expected: Expectation } | undefined {
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

function expectationOf({ fact }: Finding): Expectation | undefined {
  if (fact?.kind === 'status' && fact.expected.length > 0)
    return { header: undefined, pattern: `^(${fact.expected.join('|')})$` };
  const pattern = fact?.kind === 'header' ? headerPatterns[fact.header.toLowerCase()] : undefined;
  return fact?.kind === 'header' && pattern !== undefined ? { header: fact.header, pattern } : undefined;
}

function stepOf(
  { method, url, headers, body }: Exchange['request'],
  baseUrl: string,
  id: string | undefined,
): Step {
  const path = url.startsWith(baseUrl) ? url.slice(baseUrl.length) : new URL(url).pathname;
  const sent = headers.filter(([name]) => !automatic.has(name.toLowerCase()));
  return {
    method,
    path: id === undefined ? path : path.replace(`/pets/${id}`, '/pets/{id}'),
    headers: Object.fromEntries(
      sent.map(([name, value]) => [
        name,
        name === 'Authorization' ? value.replace(/\$\w+$/, '{key}') : value,
      ]),
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
