import { runOut, type Credential } from '../../http/exchange/credential.js';
import { Exchange } from '../../evidence/exchange.js';
import { integer } from '../../explain/count.js';
import { listPets, type PlannedRequest } from '../../http/exchange/planned-request.js';
import { waitOf } from '../../http/headers/rate-headers.js';
import { type LedgerLine, ledgerLine } from '../../load/ledger-file.js';
import { countsAgree, type LedgerEntry, recordedEntry } from '../../load/ledger.js';
import { paced } from '../../load/paced.js';
import { Pause } from '../../load/pause.js';
import type { Plan } from '../../specification/plan.js';
import { isRejected, isServed, observationOf, type Observation } from '../history/observation.js';
import type { Sending } from '../probe/session.js';
import { minuteMs, tolerances } from '../tolerances.js';
import { addTo, countedSince, dayMs, isOwnDay, totalsOf, type CountedDay } from './day.js';

export interface DayOptions extends Sending {
  readonly plan: Plan;
  /** What was sent with the key before: by an interrupted run, and by this one for something else. */
  readonly before?: readonly LedgerLine[];
  /** Counts a request that is not kept as evidence. */
  readonly unrecorded?: () => void;
}

/** Just under the minute's limit, so that it is never reached. */
function requestsPerSecond({ perMinute }: Plan): number {
  return Math.max(1, perMinute - 1) / 60;
}

/** Minutes that counting a day takes: Free 17, Pro 34, Business about 100. A few seconds more are not a minute. */
export function minutesOfDay(plan: Plan, already = 0): number {
  const seconds = Math.max(0, plan.perDay + 1 - already) / requestsPerSecond(plan);
  return Math.max(1, Math.ceil((seconds - 10) / 60));
}

/** A minute's 429 in between is waited out; so many in a row are the day's. */
const rejectionsOfTheDay = 3;
/** Requests beyond the limit that are tried before the day is taken for unlimited. */
const beyondLimit = 3;
/** A target that does not respond is tried again so often, and so many milliseconds later: for ten minutes. */
const mostTries = 20;
const betweenTriesMs = 30_000;

/**
 * Sends a plan's day, one request after the other and paced just under its minute, until the day's 429 comes or more is
 * admitted than any conforming limiter lets through. Every request stands in the ledger, so that the counting survives its end.
 */
export async function countDay(options: DayOptions): Promise<CountedDay> {
  const { plan, target, credential, clock, signal, budget, before = [] } = options;
  const { perDay } = plan;
  const volley = `day ${plan.name}`;
  const startedAt = clock.now();
  // Of what was sent before, only what was sent on the same day (UTC) is counted.
  const stretches = countedSince(before, Math.floor(startedAt / dayMs) * dayMs);
  for (const line of before) options.ledger(line);
  const pause = new Pause();
  let sent = 0;
  let rejections = 0;
  let rejection: string | undefined;
  let failures = 0;
  let nextTry = 0;
  let ended: { readonly stopped: string | undefined } | undefined;
  const stop = (stopped?: string): void => void (ended ??= { stopped });

  const answered = (entry: LedgerEntry): void => {
    const sentBy = entry.request.credential;
    const hasRunOut = entry.status === 401 && failures === 0 && sentBy.renew !== undefined;
    const request = hasRunOut ? { ...entry.request, credential: runOut(sentBy) } : entry.request;
    const exchange = recordedEntry({ ...entry, request }, target);
    const one = observationOf(new Exchange({ id: '', ...exchange }), plan);
    // As evidence the first minute is kept, and all that is not a success.
    const isKept = entry.sentAt < startedAt + minuteMs || !isServed(one);
    const kept = isKept ? options.record(exchange).id : undefined;
    if (!isKept) options.unrecorded?.();
    const remaining = one.headers.period === 'day' ? one.headers.remaining : undefined;
    const line = { ...ledgerLine(volley, { entry }), ...(remaining !== undefined && { remaining }) };
    options.ledger(line);
    addTo(stretches, line);
    pause.see(entry);
    const { admitted, refilled } = totalsOf(stretches, perDay);
    if (isServed(one)) {
      failures = 0;
      // A day that gives back little by little is reached again and again.
      if (admitted < perDay) rejections = 0;
      // A day may have ended meanwhile, unless Remaining shows that none has.
      const days = isOwnDay(stretches, perDay) ? 1 : 2;
      if (admitted > days * perDay + refilled + beyondLimit) stop();
    } else if (isRejected(one)) {
      rejections += 1;
      if (!isOfTheDay(one) && rejections < rejectionsOfTheDay) return;
      rejection = kept;
      stop();
    } else {
      failures += 1;
      nextTry = clock.now() + betweenTriesMs;
      const { status } = one;
      if (hasRunOut) {
        void renewed(sentBy, status);
      } else if (status === 401 || status === 403) stop(`the target refuses the key with ${status}`);
      if (failures > mostTries) stop('the target was lost: resume the run with --resume=DIR');
    }
  };

  /** Nothing is sent until there is another key. */
  const renewed = async ({ renew, authorization }: Credential, status: number | null): Promise<void> => {
    nextTry = Number.POSITIVE_INFINITY;
    if ((await renew?.(authorization)) !== true) stop(`the target refuses the key with ${status}`);
    nextTry = clock.now();
  };

  const listing = listPets([['limit', 1]]);
  const request: PlannedRequest = { ...listing, purpose: 'LIMIT-10', phase: 'day', credential };
  const plannedAt = (index: number): number => startedAt + (index * 1_000) / requestsPerSecond(plan);
  const { counts } = await paced({
    target,
    clock,
    signal,
    plannedAt,
    count: Number.MAX_SAFE_INTEGER,
    connections: 1,
    request: (index) => {
      if (plannedAt(index) < Math.max(pause.until, nextTry)) return null;
      if (!ended && budget.take(1) === 0) stop(`${budget.error.message}: resume it with --resume=DIR`);
      if (ended) return undefined;
      const { admitted } = totalsOf(stretches, perDay);
      options.progress({ text: `the day: ${integer(admitted)} of ${integer(perDay)} admitted` });
      sent += 1;
      return request;
    },
    settled: ({ entry }) => answered(entry),
  });
  if (!countsAgree(counts)) ended = { stopped: 'autocannon and the ledger do not count the same' };
  if (signal.aborted) stop('the run was interrupted: resume it with --resume=DIR');
  const fresh = isOwnDay(stretches, perDay);
  return { stretches, rejection, fresh, sent, stopped: ended?.stopped, counts };
}

/** Whether a 429 asks for a longer wait than the minute's window, or shows the day as used up. */
function isOfTheDay({ receivedAt, headers }: Observation): boolean {
  const { retryAfter, date = receivedAt, period, remaining } = headers;
  const wait = waitOf(retryAfter, date) ?? 0;
  return wait > minuteMs + tolerances.longestWaitMs || (period === 'day' && remaining === 0);
}
