import type { ExchangeLog } from '../evidence/exchange-log.js';
import type { LoadMeasurement } from '../evidence/record/measurements.js';
import type { RecordedExchange } from '../evidence/recorded-exchange.js';
import type { Clock } from '../http/clock/clock.js';
import type { PlannedRequest } from '../http/exchange/planned-request.js';
import type { LoadPlan } from '../options/load-options.js';
import type { LoadTarget } from './lane.js';
import { countsAgree, recordedEntry } from './ledger.js';
import { ledgerLine, type LedgerFile } from './ledger-file.js';
import type { LoadCounter } from './load-counter.js';
import type { Mix } from './load-mix.js';
import { paced, type PacedEntry } from './paced.js';
import { Pause } from './pause.js';
import { ownRequests, placeInLoad, shareName } from './schedule.js';
import type { Threshold } from './thresholds.js';
import { warmUp } from './warm-up.js';

/** A load, and who hears of it. */
interface LoadToSend {
  readonly plan: LoadPlan;
  readonly target: LoadTarget;
  readonly connections: number;
  readonly thresholds: readonly Threshold[];
  readonly mix: Mix;
  /** The request at a place in the whole load. */
  readonly requestOf: (place: number) => PlannedRequest;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly counter: LoadCounter;
  readonly ledger: LedgerFile;
  readonly log: ExchangeLog;
  /** Hears of an exchange that the log has no room for. */
  readonly unrecorded: (exchange: Omit<RecordedExchange, 'id'>) => void;
  /** What is waited for; null when it is over. */
  readonly waiting: (wait: { readonly text: string; readonly until: number } | null) => void;
}

/** Milliseconds between the end of the preparation and the first request: connections are opened meanwhile. */
const beginsInMs = 250;
/** Exchanges kept as evidence, and failures beyond them; the ledger has all. */
const mostRecorded = 2_000;
const mostFailures = 4_000;

/** The phase of its exchanges, by which a merged load tells its shares apart. */
export function nameOfLoad({ share }: LoadPlan): string {
  return share ? shareName(share) : 'load';
}

/**
 * Sends a load, or a share of it, and counts what comes back. After a 429 it pauses as long as that asks.
 * @throws Error if the load was to begin before everything was prepared, or two counts of it differ
 */
export async function sendLoad(
  load: LoadToSend,
): Promise<{ readonly load: LoadMeasurement; readonly stopped: string | undefined }> {
  const { plan, target, connections, thresholds, mix, requestOf } = load;
  const { clock, signal, counter, ledger, log, unrecorded, waiting } = load;
  const { ratePerSecond, durationMs, requests } = plan;
  const share = plan.share ?? { number: 1, of: 1 };
  await warmUp(target, clock, requestOf(0));
  const startedAt = plan.begin ?? Math.ceil(clock.now()) + beginsInMs;
  const lateMs = Math.round(clock.now() - startedAt);
  if (lateMs > 0)
    throw new Error(
      `the load was prepared ${lateMs} ms after --begin: start it earlier, or let it begin later`,
    );
  // Connections are opened right before they are used: idle ones would be closed.
  waiting({ text: 'prepared; the load begins', until: startedAt });
  await clock.sleep(Math.max(0, startedAt - beginsInMs - clock.now()), signal);
  const plannedAt = (index: number): number =>
    startedAt + (placeInLoad(index, share) * 1_000) / ratePerSecond;
  const planned = ownRequests(requests, share);
  const count = (entry: Partial<PacedEntry>): void => {
    const line = ledgerLine(nameOfLoad(plan), entry);
    counter.add(line);
    ledger(line);
  };
  const pause = new Pause();
  let recorded = 0;
  const { endedAt, counts } = await paced({
    target,
    clock,
    signal,
    plannedAt,
    count: planned,
    connections,
    request(index) {
      if (pause.until > clock.now()) counter.withheld += 1;
      // No connection was free for it in time.
      else if (clock.now() - plannedAt(index) > target.deadlineMs) count({ plannedAt: plannedAt(index) });
      else return requestOf(placeInLoad(index, share));
      return null;
    },
    settled(one) {
      const { entry, plannedAt } = one;
      pause.see(entry);
      const isPaused = pause.until > clock.now();
      waiting(isPaused ? { text: 'waiting as the target asks', until: pause.until } : null);
      count(one);
      const exchange = recordedEntry(entry, target, Math.max(0, entry.sentAt - plannedAt));
      const isFailure = entry.status === null || entry.status >= 400;
      const isKept = recorded < (isFailure ? mostFailures : mostRecorded);
      if (isKept) log.record(exchange);
      else unrecorded(exchange);
      recorded += Number(isKept);
    },
  });
  if (!countsAgree(counts))
    throw new Error('autocannon and the ledger do not count the same: nothing is said of the load');
  const measured = counter.result({
    ratePerSecond: ratePerSecond / share.of,
    mix,
    planned,
    // The bounds are those of the whole load.
    thresholds: plan.share ? [] : thresholds,
    durationMs: Math.round(endedAt - startedAt),
  });
  const bounds = Object.fromEntries(thresholds.map(({ name, text }) => [name, text]));
  const whole = { begin: new Date(startedAt).toISOString(), ratePerSecond, durationMs, requests, bounds };
  const isLost = counter.isLost ? 'the target was lost: at the end no connection could be made' : undefined;
  return {
    load: { ...measured, counts, ...(plan.share && { share: { ...share, ...whole } }) },
    stopped: measured.sent > 0 && measured.good === 0 ? 'no request of the load succeeded' : isLost,
  };
}
