import type { LoadedDescription } from '../description/document/load-description.js';
import { loadRecordedDescription } from '../description/target-description.js';
import { stoppedAt, type Clock } from '../http/clock/clock.js';
import { noEvidence } from '../http/exchange/evidence.js';
import type { Exchange } from '../http/exchange/exchange.js';
import { countedSince, readDays } from '../limits/day/day-count.js';
import { limitsOfRecord, type LimitsOfRun } from '../limits/limits-of-run.js';
import { UnusableLedger } from '../load/ledger-file.js';
import { ledgerDiscrepancies, loadDiscrepancies, loadEvidence } from '../load/count-load.js';
import type { RunRecord } from '../record/record.js';
import { judgeRecorded, planOf } from '../requirement/judge-recorded.js';
import { run } from '../run/conformance.js';
import { probeLimits } from '../run/limits.js';
import type { RunPlayback, Session } from '../run/session.js';
import type { Settings } from '../run/settings.js';
import { classOf, requirementIds } from '../specification/catalogue.js';
import { wasCutOff } from '../record/cut-off.js';
import { describeRequest, Player } from './player.js';
import { keyNameIn, standInKey } from './stand-in-key.js';

/** A run as its folder holds it. */
export interface RecordedRun {
  readonly record: RunRecord;
  /** In the order of the file. */
  readonly exchanges: readonly Exchange[];
  /** Its folder, which holds the ledger. */
  readonly directory: string;
}

/** What the suites made of recorded exchanges. */
export interface Replay {
  /** The record that came of them. */
  readonly record: RunRecord;
  /** Requests that the evidence does not hold, and exchanges that nothing asked for: a sentence each. */
  readonly discrepancies: readonly string[];
  /** Requirements that can't be judged from what the run left, with the reasons. */
  readonly leftOut: ReadonlyMap<string, string>;
}

/**
 * Runs the suites once more, unchanged and with the options and the seed of a recorded run, on its exchanges and by its
 * times. Nothing is sent. The limits are judged from their recorded history.
 */
export async function replayRun(recordedRun: RecordedRun): Promise<Replay> {
  const leftOut = new Map<string, string>();
  const { exchanges, directory } = recordedRun;
  const record = await withDaysOfLedger(recordedRun.record, directory, leftOut);
  if (record.run.traffic) return judgeTrafficAgain(record, exchanges);
  // That is a load: it has no class, and judges nothing.
  if (record.classes.length === 0 && record.requirements.every(({ verdict }) => verdict === 'not-tested'))
    return {
      record,
      discrepancies: loadDiscrepancies(record, await loadEvidence(directory, exchanges)),
      leftOut,
    };
  const ofClient = exchanges.filter((exchange) => !isOfLimits(exchange));
  const { startedAt } = record.run;
  const player = new Player(ofClient, {
    startedAt: Date.parse(startedAt),
    baseUrl: record.target.baseUrl,
    endsEarly: wasCutOff(record),
  });
  const settings = settingsOf(record, exchanges, player.time);
  // Read before the replay: its time knows of nothing else to wait for.
  const described = await describedAgain(record);
  for (const id of described ? [] : requirementIds.filter((one) => classOf(one) === 'description'))
    leftOut.set(id, 'the interface description is not recorded');
  let played = false;
  const playback: RunPlayback = {
    due: (requests, repeats) => player.due(requests, repeats),
    exchange: (request) => player.exchange(request),
    probeLimits: (job) =>
      probeLimits({
        ...job,
        recorded() {
          played = true;
          return playLimits(job.session, { record, exchanges });
        },
      }),
    describedInterface: async () => described ?? { ok: false, message: 'the description is not recorded' },
  };
  const again = await run(settings, { signal: player.signal, playback });
  const ofLimits = played ? [] : exchanges.filter(isOfLimits);
  const ledger = await loadEvidence(directory, exchanges);
  return {
    record:
      wasCutOff(record) || again.run.stopped !== undefined ? again : judgeRecorded(record, exchanges, again),
    discrepancies: [
      ...ledgerDiscrepancies({ ...ledger, exchanges }),
      ...player.notHeld.map((text) => `The suites send ${text}: the evidence does not hold that request.`),
      ...[...player.unasked, ...ofLimits].map(
        (one) => `${one.id} (${describeRequest(one)}) is in the evidence, and no suite sends that request.`,
      ),
    ],
    leftOut,
  };
}

/** Traffic that others recorded: there are no requests to play, and what was judged of it comes out again. */
async function judgeTrafficAgain(record: RunRecord, exchanges: readonly Exchange[]): Promise<Replay> {
  const { judgeTraffic } = await import('../traffic/judge-traffic.js');
  const clock = stoppedAt(Date.parse(record.run.finishedAt));
  const again = await judgeTraffic({
    exchanges,
    settings: settingsOf(record, exchanges, clock),
    evidence: noEvidence,
    source: record.run.traffic ?? { file: '', sha256: '', tool: '', leftOut: {} },
  });
  return { record: again, discrepancies: [], leftOut: new Map() };
}

/** The record with its days counted again from the ledger: LIMIT-10 is judged by what was written request by request. */
async function withDaysOfLedger(
  record: RunRecord,
  directory: string,
  leftOut: Map<string, string>,
): Promise<RunRecord> {
  if (!record.plans?.some(({ day }) => day)) return record;
  const plans = record.plans.map(async (plan) => {
    const { day } = plan;
    if (!day) return plan;
    try {
      const { lines } = await readDays(directory, plan.plan);
      if (lines.length === 0) throw new UnusableLedger('it is missing');
      const first = lines.find(({ sent = 0 }) => day.stretches.some(({ from }) => from === sent));
      const { stretches } = countedSince(lines, first?.sent ?? 0);
      // What the run sent before it counted stands before that.
      const before = day.stretches.slice(0, Math.max(0, day.stretches.length - stretches.length));
      return { ...plan, day: { ...day, stretches: [...before, ...stretches] } };
    } catch {
      leftOut.set('LIMIT-10', 'the ledger, by which it is judged, can not be read');
      return plan;
    }
  });
  return { ...record, plans: await Promise.all(plans) };
}

async function describedAgain({ run }: RunRecord): Promise<LoadedDescription | undefined> {
  const { source, files, allowOtherHosts } = run.options?.description ?? {};
  if (source === undefined || files === undefined) return undefined;
  return loadRecordedDescription(source, files, allowOtherHosts === true);
}

/** What the probes of the limits send, they send by other means than the client: it was recorded afterwards. */
function isOfLimits({ phase, purpose }: Exchange): boolean {
  return phase !== undefined || purpose === 'LIMIT-10';
}

function playLimits(
  { client }: Session,
  { record, exchanges }: Pick<RecordedRun, 'record' | 'exchanges'>,
): LimitsOfRun {
  const own = exchanges.filter(isOfLimits);
  for (const exchange of own) {
    if (exchange.purpose === 'LIMIT-10') client.log.record(exchange);
    else client.record(exchange);
  }
  // A day's requests are recorded in part.
  const sent = (record.plans ?? []).reduce((sum, { day }) => sum + (day?.sent ?? 0), 0);
  const recorded = own.filter(({ purpose }) => purpose === 'LIMIT-10').length;
  client.log.countUnrecorded('listPets', Math.max(0, sent - recorded));
  return limitsOfRecord(record, client.log.exchanges);
}

/** What the run was asked to do. Its keys stand in no file: others stand in for them. */
function settingsOf(
  { run, target, plans: measured }: RunRecord,
  exchanges: readonly Exchange[],
  clock: Clock,
): Settings {
  const { seed, profile, limits, strict = false, command, options } = run;
  const {
    only = [],
    except = [],
    maximumRequests,
    bail,
    consistencyMs = 2_000,
    categoryId,
    description,
    names,
  } = options ?? {};
  const { name, baseUrl, planGiven = true, readOnly, localAddresses } = target;
  return {
    target: {
      name,
      baseUrl,
      apiKey: standInKey(exchanges),
      keyName: keyNameIn(exchanges),
      otherKeyVariable: measured?.find(({ otherCaller }) => otherCaller !== undefined)?.otherCaller,
      plan: planOf(target),
      planGiven,
      categoryId: categoryId === undefined ? undefined : BigInt(categoryId),
      consistencyMs,
      deadlineMs: 10_000,
      readOnly,
      localAddresses,
      optionNames: names,
    },
    profile,
    limits,
    planKeys: planGiven
      ? undefined
      : measured?.map((plan) => ({
          plan: { ...plan, name: plan.plan },
          apiKey: plan.caller ?? '',
          variable: plan.caller ?? '',
        })),
    banKey: exchanges.some(({ phase }) => phase === 'ban') ? 'stand-in-for-a-key-to-be-banned' : undefined,
    only,
    except,
    strict,
    seed,
    maximumRequests,
    bail,
    description: description?.source,
    command,
    clock,
    environment: {},
  };
}
