import type { Exchange } from '../../lib/evidence/exchange.js';
import type { RunRecord } from '../../lib/evidence/record/record.js';

/** Milliseconds by which times may differ: they are rounded to microseconds, and the dates of a run to milliseconds. */
const rounding = 1.01;
/** What was under way when a run was killed is missing from its end. */
const mostUnderWay = 10;
const mostNamed = 5;
/** No run sends more, but for a day and a load: a file that anyone may have edited names any number. */
const mostSent = 1_000_000;

/** What is wrong with the exchanges of a run in themselves, a sentence each. What their record says of them is compared elsewhere. */
export function evidenceProblems(record: RunRecord, exchanges: readonly Exchange[]): string[] {
  const ids = exchanges.map(({ id }) => id);
  const wrong = (isWrong: (one: Exchange) => boolean): readonly string[] =>
    exchanges.filter(isWrong).map(({ id }) => id);
  const ofClient = exchanges.filter(({ phase, purpose }) => phase === undefined && purpose !== 'LIMIT-10');
  const bySending = ofClient.toSorted((one, other) => numberOf(one) - numberOf(other));
  const ofAny: [ids: readonly string[], what: string][] = [
    [ids.filter((id, index) => ids.indexOf(id) !== index), 'Twice in the evidence'],
    [ids.filter((id) => !/^e[1-9]\d*$/u.test(id)), 'Not the number of an exchange'],
    [missingIds(record, exchanges), 'Missing from the evidence'],
    [
      wrong(({ request }) => !request.url.startsWith(`${record.target.baseUrl}/`)),
      "Sent to another address than the target's",
    ],
  ];
  const ofRun: typeof ofAny = [
    [wrong((one) => isOutside(one, record)), 'Outside the dates of the run'],
    [outOfOrder(ofClient, 'endedAt'), 'Ended before the exchange above it in the file'],
    [outOfOrder(bySending, 'sentAt'), 'Sent before the exchange of the number below'],
    [wrong(isImpossible), 'Times that contradict each other'],
    [wrong((one) => !hasItsSize(one)), 'A body of another size than was received'],
  ];
  // What others recorded stands in the order of sending, and its bodies are decoded.
  return (record.run.traffic ? ofAny : [...ofAny, ...ofRun]).flatMap(([some, what]) => {
    const more = some.length > mostNamed ? ` and ${some.length - mostNamed} more` : '';
    return some.length === 0 ? [] : [`${what}: ${some.slice(0, mostNamed).join(', ')}${more}.`];
  });
}

/** A run recorded every request that it sent, each by its number; of a load and a day it kept a sample. */
function missingIds({ run, load, requests }: RunRecord, exchanges: readonly Exchange[]): string[] {
  const known = new Set(exchanges.map(({ id }) => id));
  const sent = run.complete ? requests.sent : 0;
  const last = exchanges.reduce((most, one) => Math.max(most, numberOf(one)), sent);
  const due = load || run.limits === 'day' ? 0 : Math.min(last, mostSent);
  const lost = Array.from({ length: due }, (_, index) => `e${index + 1}`).filter((id) => !known.has(id));
  return lost.length <= (run.complete ? 0 : mostUnderWay) ? [] : lost;
}

function isOutside({ sentAt, endedAt }: Exchange, { run }: RunRecord): boolean {
  const isEarly = !(sentAt >= Date.parse(run.startedAt) - rounding);
  return isEarly || (run.complete && !(endedAt <= Date.parse(run.finishedAt) + rounding));
}

/** The file has what the client sent in the order of completion, numbered in the order of sending. */
function outOfOrder(exchanges: readonly Exchange[], moment: 'endedAt' | 'sentAt'): string[] {
  return exchanges
    .filter((one, index) => index > 0 && one[moment] < (exchanges[index - 1] ?? one)[moment] - rounding)
    .map(({ id }) => id);
}

function isImpossible({ timing: { wait, firstByte = 0, total } }: Exchange): boolean {
  return !(wait >= 0 && firstByte >= 0 && firstByte <= total + rounding);
}

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

function numberOf({ id }: Exchange): number {
  return Number(id.slice(1)) || 0;
}
