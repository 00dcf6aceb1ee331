import { runOut } from '../../http/exchange/credential.js';
import { Exchange } from '../../evidence/exchange.js';
import { sumOfCounts, type VolleyCount } from '../../evidence/record/measurements.js';
import { integer } from '../../explain/count.js';
import { listPets, type PlannedRequest } from '../../http/exchange/planned-request.js';
import { waitOf } from '../../http/headers/rate-headers.js';
import { type LedgerLine, ledgerLine } from '../../load/ledger-file.js';
import type { Lane } from '../../load/lane.js';
import { openLanes } from '../../load/lanes.js';
import { countOf, countsAgree, type LedgerEntry, recordedEntry } from '../../load/ledger.js';
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
  const startedAt = clock.now();
  // Of what was sent before, only what was sent on the same day (UTC) is counted.
  const stretches = countedSince(before, Math.floor(startedAt / dayMs) * dayMs);
  for (const line of before) options.ledger(line);
  const listing = listPets([['limit', 1]]);
  const request: PlannedRequest = { ...listing, purpose: 'LIMIT-10', phase: 'day', credential };
  const pause = new Pause();
  const { lanes, close } = await openLanes({ target, clock, signal, connections: 1 });
  const ledger: VolleyCount[] = [];
  let [failures, rejections, next] = [0, 0, startedAt];
  let rejection: string | undefined;

  /** Keeps what came: as evidence the first minute, and all that is not a success. */
  const kept = (entry: LedgerEntry): Observation => {
    ledger.push(countOf(entry));
    const exchange = recordedEntry(entry, target);
    const one = observationOf(new Exchange({ id: '', ...exchange }), plan);
    const isKept = entry.sentAt < startedAt + minuteMs || !isServed(one);
    const id = isKept ? options.record(exchange).id : '';
    if (!isKept) options.unrecorded?.();
    const remaining = one.headers.period === 'day' ? one.headers.remaining : undefined;
    const line = {
      ...ledgerLine(`day ${plan.name}`, { entry }),
      ...(remaining !== undefined && { remaining }),
    };
    options.ledger(line);
    addTo(stretches, line);
    pause.see(entry);
    return { ...one, id };
  };

  /** Sends the next request. Gives why the counting ends, if it does; '' if it has come to its end. */
  const sendNext = async (lane: Lane): Promise<string | undefined> => {
    await clock
      .sleep(Math.max(0, next - clock.now(), pause.until - clock.now()), signal)
      .catch(() => undefined);
    if (signal.aborted) return 'the run was interrupted: resume it with --resume=DIR';
    if (budget.take(1) === 0) return `${budget.error.message}: resume it with --resume=DIR`;
    const { admitted: already } = totalsOf(stretches, perDay);
    options.progress({ text: `the day: ${integer(already)} of ${integer(perDay)} admitted` });
    next = clock.now() + 1_000 / requestsPerSecond(plan);
    const entry = await lane.send(request, () => undefined);
    const { renew, authorization } = credential;
    const hasRunOut = entry.status === 401 && failures === 0 && renew !== undefined;
    const one = kept(
      hasRunOut ? { ...entry, request: { ...request, credential: runOut(credential) } } : entry,
    );
    const { admitted, refilled } = totalsOf(stretches, perDay);
    if (isServed(one)) {
      failures = 0;
      // A day that gives back little by little is reached again and again.
      if (admitted < perDay) rejections = 0;
      // A day may have ended meanwhile, unless Remaining shows that none has.
      const days = isOwnDay(stretches, perDay) ? 1 : 2;
      return admitted > days * perDay + refilled + beyondLimit ? '' : undefined;
    }
    if (isRejected(one)) {
      rejections += 1;
      if (!isOfTheDay(one) && rejections < rejectionsOfTheDay) return undefined;
      rejection = one.id;
      return '';
    }
    failures += 1;
    if (hasRunOut && (await renew(authorization))) return undefined;
    next = clock.now() + betweenTriesMs;
    const { status } = one;
    if (status === 401 || status === 403) return `the target refuses the key with ${status}`;
    return failures > mostTries ? 'the target was lost: resume the run with --resume=DIR' : undefined;
  };

  let ended: string | undefined;
  for (const lane of lanes) while (ended === undefined) ended = await sendNext(lane);
  const counts = { ledger: sumOfCounts(ledger), autocannon: await close() };
  if (!countsAgree(counts)) ended = 'autocannon and the ledger do not count the same';
  const fresh = isOwnDay(stretches, perDay);
  return { stretches, rejection, fresh, sent: ledger.length, stopped: ended || undefined, counts };
}

/** Whether a 429 asks for a longer wait than the minute's window, or shows the day as used up. */
function isOfTheDay({ receivedAt, headers }: Observation): boolean {
  const { retryAfter, date = receivedAt, period, remaining } = headers;
  const wait = waitOf(retryAfter, date) ?? 0;
  return wait > minuteMs + tolerances.longestWaitMs || (period === 'day' && remaining === 0);
}
