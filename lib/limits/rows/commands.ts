import { operationNames } from '../../evidence/recorded-exchange.js';
import { curlOf, repeated } from '../../evidence/curl.js';
import type { Exchange } from '../../evidence/exchange.js';
import type { Plan } from '../../specification/plan.js';
import { plain } from '../../verdict/reproduce.js';
import { isRejected, isServed, type LimitFacts, type Observation } from '../history/history.js';
import type { RequirementId } from '../../specification/catalogue.js';
import type { LimitEvidence } from '../limits-of-run.js';

/** Shell commands that exceed the limit: a single request shows nothing of it. */

const { inTurn, countedInTurn, countedAtOnce, head, status, upToRejection } = repeated;
const heads = "grep -iE '^(HTTP|Date|Retry-After|X-RateLimit-Reset)'";

/** Requests more than the limit, if one alone may be what a bucket gives back. */
const beyond = 4;

/** Of each operation that was served a command, a listing first. Requests of the limit probes are plain. */
function servedIn({ history: { own } }: LimitEvidence): [listing: string, ...others: string[]] {
  const served = own.filter(isServed).toSorted((a, b) => Number(b.phase !== '') - Number(a.phase !== ''));
  const ofEach = operationNames.flatMap((name) => served.find(({ operation }) => operation === name) ?? []);
  const shown = ofEach.length > 0 ? ofEach : own.slice(0, 1);
  const [listing = '', ...others] = shown.map(({ exchange }) =>
    curlOf({ ...exchange.request, localAddress: undefined }),
  );
  return [listing, ...others];
}

/** A pace at which a limiter that conforms rejects nothing within a minute. */
function evenly(curl: string, perMinute: number): string {
  return `${curl}; sleep ${(63 / perMinute).toFixed(2)}`;
}

/** Shows what the limiter as a whole does. */
export function commandOf(id: RequirementId, evidence: LimitEvidence): string {
  const { perMinute } = evidence.facts.plan;
  const { id: deviation = '', change } = evidence.diagnosis.deviation ?? {};
  const each = servedIn(evidence);
  const [listing] = each;
  // It shows in a window that is used all the time.
  if (change?.renewedBy?.includes('admitted'))
    return countedInTurn([evenly(listing, perMinute)], perMinute + 1);
  if (id === 'LIMIT-05') return `${afterRetryAfter(listing, perMinute, status)} | sort | uniq -c`;
  if (id === 'LIMIT-14') return afterReset(listing, perMinute);
  // When the shorter of the two windows is over, the limiters differ in what they admit.
  if (deviation === 'window') {
    const wait = Math.min(60, Math.round((change?.windowMs ?? 0) / 1000)) + 1;
    return `${afterReset(listing, perMinute)}; sleep ${wait}; ${countedInTurn([listing], perMinute + 1)}`;
  }
  // What a rejection does to those behind it takes some of them to show.
  const isBehind = deviation === 'emptied' || deviation === 'leak';
  const requests = (perMinute + 1) * (isBehind ? 2 : 1);
  const ofEach = Math.ceil(requests / each.length);
  if (id === 'LIMIT-03') return countedAtOnce(each, ofEach);
  if (id === 'LIMIT-09') return countedInTurn(each, ofEach);
  // At once a bucket gives nothing back meanwhile.
  return id === 'LIMIT-01' || isBehind
    ? countedInTurn([listing], requests)
    : countedAtOnce([listing], requests + beyond);
}

/** More than the plan's day, at a pace that its minute allows. */
export function commandOfDay({ day, facts: { plan } }: LimitEvidence): string | undefined {
  const [first] = day;
  return first && inTurn(evenly(curlOf(first.exchange.request), plan.perMinute), plan.perDay + 1);
}

/** Sends a request until one is rejected. */
export function exhausting({ request }: Exchange, { perMinute }: Plan): string {
  return upToRejection(curlOf(plain(request)), 2 * perMinute);
}

/** Over the limit another animal is created, and looked for when the window is over. */
export function commandOfCreation(creation: Exchange, listing: Exchange, { plan }: LimitFacts): string {
  const { nameSent: name = '' } = creation;
  const another = `${name} again`;
  const create = curlOf(creation.request).replace(name, another);
  return `${exhausting(listing, plan)}; ${create}; sleep 61; ${curlOf(listing.request)} | grep -o '${another}'`;
}

/** The heads of 429s as they came: ten seconds into a window, or of requests at once in the one after it. */
export function commandOfRejection(rejection: Observation, evidence: LimitEvidence): string {
  const { facts, history } = evidence;
  const { perMinute } = facts.plan;
  const [listing] = servedIn(evidence);
  const exhaust = exhausting(rejection.exchange, facts.plan);
  const first = history.own.find(isRejected)?.receivedAt ?? Number.POSITIVE_INFINITY;
  // A Retry-After of the whole window is wrong by then.
  if (rejection.sentAt <= first + history.windowMs / 2)
    return `${listing}; sleep 10; ${exhaust}; printf '%s\\n' "$head" | ${heads}`;
  // Who rounds down sends 0 in the last second of a window alone.
  if (rejection.headers.retryAfter?.text === '0')
    return `${afterRetryAfter(listing, perMinute, head)} | ${heads}`;
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
  return String.raw`tr -d '\r' | grep -i '^${header}: ' | cut -d ' ' -f 2-`;
}
