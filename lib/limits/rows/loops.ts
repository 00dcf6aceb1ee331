import { curlOf, repeated } from '../../evidence/curl.js';
import { operationNames } from '../../evidence/recorded-exchange.js';
import type { Finding, RequirementResult } from '../../evidence/record/requirement-result.js';
import { isRejected, isServed } from '../history/observation.js';
import type { LimitEvidence } from '../limit-evidence.js';

const { inTurn, countedInTurn, countedAtOnce, head, status, upToRejection } = repeated;

/** The result with commands that exceed the limit: a single request shows nothing of it. */
export function withLoops(result: RequirementResult, evidence: LimitEvidence): RequirementResult {
  const findings = result.findings.map((finding) =>
    finding.reproduce === undefined || finding.reproduce.includes('$(seq ')
      ? finding
      : { ...finding, reproduce: commandOf(result.id, finding.reproduce, finding, evidence) },
  );
  return { ...result, findings };
}

const heads = "grep -iE '^(HTTP|Date|Retry-After|X-RateLimit-Reset)'";

/** Requests more than the limit, if one alone may be what a bucket gives back. */
const beyond = 4;

/** The command for a finding of a requirement. @param curl the request of the response that shows it */
function commandOf(
  id: string,
  curl: string,
  { exchanges, fact, received }: Finding,
  { facts: { plan }, history: { own, windowMs } }: LimitEvidence,
): string {
  const { perMinute, perDay } = plan;
  const { deviation = '', value = '' } = fact?.kind === 'limiter' ? fact : {};
  // Of each operation that was served a request, a listing first. Those of the limit probes are plain.
  const served = own.filter(isServed).toSorted((a, b) => Number(b.phase !== '') - Number(a.phase !== ''));
  const ofServed = operationNames.flatMap((name) => {
    const one = served.find(({ operation }) => operation === name);
    return one ? curlOf({ ...one.exchange.request, localAddress: undefined }) : [];
  });
  const each = ofServed.length > 0 ? ofServed : [curl];
  const [listing = curl] = each;
  // A pace at which a limiter that conforms rejects nothing within a minute.
  const evenly = (one: string): string => `${one}; sleep ${(63 / perMinute).toFixed(2)}`;
  // When the shorter of the two windows is over, the limiters differ in what they admit.
  if (deviation === 'window')
    return `${afterReset(listing, perMinute)}; sleep ${Math.min(60, Math.round(Number(value))) + 1}; ${countedInTurn([listing], perMinute + 1)}`;
  if (deviation === 'renewed' && id !== 'LIMIT-14') return countedInTurn([evenly(listing)], perMinute + 1);
  // What a rejection does to those behind it takes some of them to show.
  const isBehind = deviation === 'emptied' || deviation === 'leak';
  const requests = (perMinute + 1) * (isBehind ? 2 : 1);
  const ofEach = Math.ceil(requests / each.length);
  const shown = own.find((one) => one.id === exchanges[0]);
  const first = own.find(isRejected)?.receivedAt ?? Number.POSITIVE_INFINITY;
  const isLater = (shown?.sentAt ?? 0) > first + windowMs / 2;
  const rejected = (): string => {
    // Who rounds down sends 0 in the last second of a window alone.
    const isZero = isLater && received === 'Retry-After: 0';
    return isZero
      ? `${afterRetryAfter(listing, perMinute, head)} | ${heads}`
      : rejectedHeads(curl, listing, perMinute, isLater);
  };
  const commands: Readonly<Record<string, () => string>> = {
    'LIMIT-01': () => countedInTurn([listing], requests),
    // At once a bucket gives nothing back meanwhile.
    'LIMIT-02': () =>
      isBehind ? countedInTurn([listing], requests) : countedAtOnce([listing], requests + beyond),
    'LIMIT-03': () => countedAtOnce(each, ofEach),
    'LIMIT-04': rejected,
    'LIMIT-05': () => `${afterRetryAfter(listing, perMinute, status)} | sort | uniq -c`,
    'LIMIT-06': rejected,
    'LIMIT-09': () => countedInTurn(each, ofEach),
    'LIMIT-10': () => inTurn(evenly(curl), perDay + 1),
    'LIMIT-14': () => afterReset(listing, perMinute),
  };
  return commands[id]?.() ?? inTurn(curl, perMinute + 1);
}

/** The heads of 429s ten seconds into a window; of requests at once in the one after it, if the first one shows nothing. */
function rejectedHeads(curl: string, listing: string, perMinute: number, isLater: boolean): string {
  const exhaust = upToRejection(curl, 2 * perMinute);
  // A Retry-After of the whole window is wrong by then.
  if (!isLater) return `${listing}; sleep 10; ${exhaust}; printf '%s\\n' "$head" | ${heads}`;
  return `${exhaust}; sleep 61; { ${repeated.atOnce(head(listing), perMinute + 1)}; } | ${heads} | tail -n 12`;
}

/** The limit, exceeded again just when a second has passed since the Reset that was announced before it was reached. */
function afterReset(listing: string, perMinute: number): string {
  const reset = `reset=$(${inTurn(listing, perMinute)} | ${valueOf('X-RateLimit-Reset')} | tail -n 1)`;
  const wait = 'seconds=$((reset + 1 - $(date +%s))); sleep $((seconds > 0 ? seconds : 0))';
  return `${reset}; ${countedInTurn([listing], 3)}; ${wait}; ${countedInTurn([listing], perMinute + 1)}`;
}

/** Requests over the limit at several fractions of a second, each of which waits as it is told and is sent again. */
function afterRetryAfter(listing: string, perMinute: number, show: (curl: string) => string): string {
  const told = `told=$(${head(listing)} | ${valueOf('Retry-After')})`;
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
