import type { Exchange } from '../../lib/evidence/exchange.js';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import { count } from '../text/quantity.js';

/** Milliseconds by which times may differ: they are rounded to microseconds, and the dates of a run to milliseconds. */
const rounding = 1.01;
const mostNamed = 5;

/** What is wrong with the exchanges of a run in themselves, and beside its record; a sentence each. */
export function evidenceProblems(record: RunRecord, exchanges: readonly Exchange[]): string[] {
  // What others recorded stands in the order of sending, and its bodies are decoded.
  const isTraffic = record.run.traffic !== undefined;
  return [
    ...numbering(record, exchanges),
    ...(isTraffic ? [] : times(record, exchanges)),
    ...named(
      exchanges.filter(({ request }) => !isOfTarget(request.url, record)),
      "went to another address than the target's",
    ),
    ...named(
      exchanges.filter((one) => !isTraffic && !hasItsSize(one)),
      'has a body of another size than was received',
    ),
    ...citations(record, exchanges),
  ];
}

/** A finished run recorded every request that it sent. A load and a day keep a sample. */
function isSample({ run, load }: RunRecord): boolean {
  return load !== undefined || run.limits === 'day';
}

function numbering(record: RunRecord, exchanges: readonly Exchange[]): string[] {
  const ids = exchanges.map(({ id }) => id);
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  const strange = ids.filter((id) => !/^e[1-9]\d*$/u.test(id));
  const numbers = new Set(ids);
  const last = Math.max(
    record.run.complete ? record.requests.sent : 0,
    ...ids.map((id) => Number(id.slice(1)) || 0),
  );
  // What was under way when a run was killed is missing from its end.
  const mayLack = record.run.complete || isSample(record) ? 0 : 10;
  const lost = isSample(record)
    ? []
    : Array.from({ length: last }, (_, index) => `e${index + 1}`).filter((id) => !numbers.has(id));
  const are = lost.length === 1 ? 'is' : 'are';
  return [
    ...(twice.length === 0 ? [] : [`${listed(twice)} occurs twice in the evidence.`]),
    ...(strange.length === 0 ? [] : [`${listed(strange)} is not the number of an exchange.`]),
    ...(lost.length <= mayLack
      ? []
      : [`${count(lost.length, 'exchange')} ${are} missing from the evidence: ${listed(lost)}.`]),
  ];
}

/** The file has what the client sent in the order of completion, numbered in the order of sending. */
function times({ run, requests: { waitedMs } }: RunRecord, exchanges: readonly Exchange[]): string[] {
  const from = Date.parse(run.startedAt) - rounding;
  const until = Date.parse(run.finishedAt) + rounding;
  const outside = run.complete
    ? exchanges.filter((one) => !(one.sentAt >= from && one.endedAt <= until))
    : exchanges.filter((one) => !(one.sentAt >= from));
  const ofClient = exchanges.filter(({ phase, purpose }) => phase === undefined && purpose !== 'LIMIT-10');
  const late = ofClient.filter(
    (one, index) => index > 0 && one.endedAt < (ofClient[index - 1] ?? one).endedAt - rounding,
  );
  const bySending = ofClient.toSorted((one, other) => numberOf(one) - numberOf(other));
  const early = bySending.filter(
    (one, index) => index > 0 && one.sentAt < (bySending[index - 1] ?? one).sentAt - rounding,
  );
  const impossible = exchanges.filter(
    ({ timing: { wait, firstByte = 0, total } }) =>
      !(wait >= 0 && firstByte >= 0 && firstByte <= total + rounding),
  );
  return [
    ...named(outside, 'is outside the dates of the run'),
    ...named(late, 'ended before the one above it in the file'),
    ...named(early, 'was sent before the one of the number below'),
    ...named(impossible, 'has times that contradict each other'),
    ...(waitedMs >= 0 && waitedMs <= until - from
      ? []
      : [`The record counts waits of ${waitedMs} ms in a run of ${until - from} ms.`]),
  ];
}

/** Every exchange that a result names is there, and a pass rests on something. */
function citations({ requirements, run }: RunRecord, exchanges: readonly Exchange[]): string[] {
  const ids = new Set(exchanges.map(({ id }) => id));
  return requirements.flatMap(({ id, verdict, checks, findings, observations = [], reason }) => {
    const cited = [...findings, ...observations].flatMap((one) => one.exchanges);
    const lost = run.limits === 'day' ? [] : cited.filter((one) => !ids.has(one));
    const failed = verdict === 'fail' || verdict === 'warn';
    return [
      ...(lost.length === 0 ? [] : [`${id} names ${listed(lost)}, which the evidence does not hold.`]),
      ...(verdict === 'pass' && checks === 0 ? [`${id} passed without a check.`] : []),
      ...(failed && findings.length === 0 ? [`${id} has the verdict ${verdict} without a finding.`] : []),
      ...(!failed && verdict !== 'observed' && findings.length > 0
        ? [`${id} has the verdict ${verdict}, and findings.`]
        : []),
      ...(unjudged.has(verdict) && reason === undefined
        ? [`${id} has the verdict ${verdict} without a reason.`]
        : []),
    ];
  });
}

const unjudged: ReadonlySet<string> = new Set(['inconclusive', 'not-applicable', 'not-tested']);

/** Whether the size is that of the body, as far as it was recorded as it came. */
function hasItsSize(exchange: Exchange): boolean {
  const { response, failure } = exchange;
  if (!response) return true;
  const { text = '', base64 = '', bytes, truncated = false } = response.body;
  const length = Buffer.byteLength(text) + Buffer.from(base64, 'base64').length;
  const [announced, ...more] = exchange.headers('Content-Length');
  const isWhole = failure === undefined && !truncated && more.length === 0 && length > 0;
  if (isWhole && announced !== undefined && /^\d+$/u.test(announced) && Number(announced) !== bytes)
    return false;
  const changed = truncated || /API_KEY|\[part of/u.test(text + base64) || base64 !== '';
  const coded = exchange.headers('Content-Encoding').length > 0;
  return changed || coded || length === bytes;
}

function isOfTarget(url: string, { target }: RunRecord): boolean {
  return url.startsWith(`${target.baseUrl}/`);
}

function named(exchanges: readonly Exchange[], what: string): string[] {
  return exchanges.length === 0 ? [] : [`${listed(exchanges.map(({ id }) => id))} ${what}.`];
}

function listed(ids: readonly string[]): string {
  return (
    ids.slice(0, mostNamed).join(', ') + (ids.length > mostNamed ? ` and ${ids.length - mostNamed} more` : '')
  );
}

function numberOf({ id }: Exchange): number {
  return Number(id.slice(1));
}
