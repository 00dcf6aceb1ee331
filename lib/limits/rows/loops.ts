import { curlOf, repeated } from '../../evidence/curl.js';
import { operationNames } from '../../evidence/recorded-exchange.js';
import type { Finding, RequirementResult } from '../../evidence/record/requirement-result.js';
import { isRejected, isServed } from '../history/observation.js';
import type { LimitEvidence } from '../limit-evidence.js';

const { inTurn, countedInTurn, countedAtOnce, upToRejection } = repeated;

/** What the commands of a finding are made of. */
interface Parts {
  readonly id: string;
  /** The request of the response that shows it. */
  readonly curl: string;
  /** A request of each operation that was served, a listing first. */
  readonly each: readonly [string, ...string[]];
  /** The plan's requests a minute, and a day. */
  readonly perMinute: number;
  readonly perDay: number;
  readonly deviation: string;
  /** The figure of the deviation. */
  readonly value: number;
  /** Whether the limit had been reached in a window before. */
  readonly isLater: boolean;
  readonly received: string | undefined;
}

/** The result with commands that exceed the limit: a single request shows nothing of it. */
export function withLoops(result: RequirementResult, evidence: LimitEvidence): RequirementResult {
  const findings = result.findings.map(({ reproduce, ...finding }) => ({
    ...finding,
    ...(reproduce !== undefined && {
      reproduce: reproduce.includes('$(seq ')
        ? reproduce
        : commandOf(partsOf(result.id, reproduce, finding, evidence)),
    }),
  }));
  return { ...result, findings };
}

function partsOf(
  id: string,
  curl: string,
  { exchanges, fact, received }: Omit<Finding, 'reproduce'>,
  { facts: { plan }, history: { own, windowMs } }: LimitEvidence,
): Parts {
  // Those of the limit probes are plain.
  const served = own.filter(isServed).toSorted((a, b) => Number(b.phase !== '') - Number(a.phase !== ''));
  const [listing = curl, ...others] = operationNames.flatMap((name) => {
    const one = served.find(({ operation }) => operation === name);
    return one ? curlOf({ ...one.exchange.request, localAddress: undefined }) : [];
  });
  const shown = own.find((one) => one.id === exchanges[0]);
  const first = own.find(isRejected)?.receivedAt ?? Number.POSITIVE_INFINITY;
  const { deviation = '', value = '' } = fact?.kind === 'limiter' ? fact : {};
  return {
    id,
    curl,
    each: [listing, ...others],
    ...plan,
    deviation,
    value: Number(value),
    isLater: (shown?.sentAt ?? 0) > first + windowMs / 2,
    received,
  };
}

function commandOf(parts: Parts): string {
  const { id, curl, each, perMinute, perDay, deviation, value } = parts;
  const over = perMinute + 1;
  const [listing] = each;
  // A pace at which a limiter that conforms rejects nothing within a minute.
  const evenly = (one: string): string => `${one}; sleep ${(63 / perMinute).toFixed(2)}`;
  // When the shorter of the two windows is over, the limiters differ in what they admit.
  if (deviation === 'window')
    return `${afterReset(listing, parts)}; sleep ${Math.min(60, Math.round(value)) + 1}; ${countedInTurn([listing], over)}`;
  if (deviation === 'renewed' && id !== 'LIMIT-14') return countedInTurn([evenly(listing)], over);
  // What a rejection does to those behind it takes some of them to show.
  const requests = deviation === 'emptied' || deviation === 'leak' ? 2 * over : over;
  const ofEach = Math.ceil(requests / each.length);
  switch (id) {
    case 'LIMIT-01':
      return countedInTurn([listing], requests);
    case 'LIMIT-02':
      // At once a bucket gives nothing back meanwhile.
      return requests > over ? countedInTurn([listing], requests) : countedAtOnce([listing], over + beyond);
    case 'LIMIT-03':
      return countedAtOnce(each, ofEach);
    case 'LIMIT-09':
      return countedInTurn(each, ofEach);
    case 'LIMIT-10':
      return inTurn(evenly(curl), perDay + 1);
    case 'LIMIT-05':
      return `${afterRetryAfter(parts, repeated.status)} | sort | uniq -c`;
    case 'LIMIT-04':
    case 'LIMIT-06':
      return rejectedHeads(parts);
    case 'LIMIT-14':
      return afterReset(listing, parts);
    default:
      return inTurn(curl, over);
  }
}

/** Requests more than the limit, where one alone may be what a bucket gives back. */
const beyond = 4;
/** Seconds into a window after which a Retry-After of the whole window is wrong, and in which a window is over. */
const intoWindow = 10;
const wholeWindow = 61;

const heads = "grep -iE '^(HTTP|Date|Retry-After|X-RateLimit-Reset)'";

/**
 * The heads of 429s some seconds into a window; in its last second, if the wait is 0 there alone; of requests at once in the
 * one after it, if the first one shows nothing.
 */
function rejectedHeads(parts: Parts): string {
  const { curl, each, perMinute, isLater, received } = parts;
  const [listing] = each;
  const exhaust = upToRejection(curl, 2 * perMinute);
  if (isLater && received === 'Retry-After: 0') return `${afterRetryAfter(parts, repeated.head)} | ${heads}`;
  if (!isLater) return `${listing}; sleep ${intoWindow}; ${exhaust}; printf '%s\\n' "$head" | ${heads}`;
  const atOnce = repeated.atOnce(repeated.head(listing), perMinute + 1);
  return `${exhaust}; sleep ${wholeWindow}; { ${atOnce}; } | ${heads} | tail -n 12`;
}

/** The limit, exceeded again just when a second has passed since the Reset that was announced before it was reached. */
function afterReset(listing: string, { perMinute }: Parts): string {
  const reset = `reset=$(${inTurn(listing, perMinute)} | ${valueOf('X-RateLimit-Reset')} | tail -n 1)`;
  const exceeded = countedInTurn([listing], 3);
  const wait = 'seconds=$((reset + 1 - $(date +%s))); sleep $((seconds > 0 ? seconds : 0))';
  return `${reset}; ${exceeded}; ${wait}; ${countedInTurn([listing], perMinute + 1)}`;
}

/** Requests over the limit at several fractions of a second, each of which waits as it is told and is sent again. */
function afterRetryAfter({ each: [listing], perMinute }: Parts, show: (curl: string) => string): string {
  const told = `told=$(${repeated.head(listing)} | ${valueOf('Retry-After')})`;
  // Not each system's date reads a date in the same way.
  const date = `at=$(date -d "$told" +%s 2>/dev/null || date -j -f '%a, %d %b %Y %T GMT' "$told" +%s)`;
  const wait = `case $told in *:*) ${date}; told=$((at - $(date +%s)));; esac; sleep "$told"`;
  const each = `{ ${told}; ${wait}; ${show(listing)}; } & sleep 0.13`;
  return `${upToRejection(listing, 2 * perMinute)}; { for i in $(seq 8); do ${each}; done; wait; }`;
}

/** Prints the values that a header has in heads of responses. */
function valueOf(header: string): string {
  const name = header.replaceAll(/[a-z]/giu, (one) => `[${one.toUpperCase()}${one.toLowerCase()}]`);
  return String.raw`tr -d '\r' | sed -n 's/^${name}: *//p'`;
}
