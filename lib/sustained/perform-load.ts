import { setMaxListeners } from 'node:events';
import { credentialsFor } from '../http/exchange/credential.js';
import type { Clock } from '../http/clock/clock.js';
import { suiteName, suiteVersion } from '../run/identity.js';
import type { LoadMeasurement, RunRecord } from '../record/record.js';
import { openRunFiles, RecordLost } from '../record/run-files.js';
import { Session } from '../run/session.js';
import type { Settings } from '../run/settings.js';
import type { Target } from '../target/target.js';
import { animalOf } from '../session/animal.js';
import { catalogue } from '../specification/catalogue.js';
import { parseJson, writeJson } from '../specification/lossless-json.js';
import { notTestedResult } from '../verdict/requirement-result.js';
import { runLoad } from './load-run.js';
import type { Mix } from './mix.js';
import type { LoadRun, LoadState } from './tally.js';
import type { Threshold } from './thresholds.js';

export interface PerformLoadOptions {
  readonly id: string;
  readonly target: Target;
  /** Where proxies are read from. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly ratePerSecond: number;
  readonly mix: Mix;
  readonly durationMs: number;
  readonly connections: number;
  readonly thresholds: readonly Threshold[];
  readonly seed: number;
  /** Where the run's files go; none are written without it. */
  readonly directory: string | undefined;
  /** The command as the record shows it: without keys. */
  readonly command: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly progress: (state: LoadState) => void;
}

/**
 * Sends a steady load to a target and writes its record, in the format of every run. It judges no requirement.
 * @throws OutputProblem where the files can't be written, before anything is sent; RecordLost where they no longer can be
 * when it ends.
 */
export async function performLoad(options: PerformLoadOptions): Promise<RunRecord> {
  const { clock, signal } = options;
  // Each wait listens for the interruption; none of them leaks.
  setMaxListeners(0, signal);
  const startedAt = new Date(clock.now()).toISOString();
  const files = openRunFiles(options.directory);
  const session = new Session(settingsOf(options), { evidence: files.evidence, signal });
  const leftovers: Array<{ id: string; name: string }> = [];
  let run: LoadRun | undefined;
  let stopped: string | undefined;
  try {
    run = await runWith(session, options, leftovers);
    if (run.load.sent > 0 && run.load.good === 0) stopped = 'nothing that was sent was answered with success';
    else if (run.lost) stopped = 'the target was lost: at the end nothing could be connected';
  } catch (error) {
    stopped = signal.aborted ? 'the load was interrupted' : messageOf(error);
  } finally {
    await session.close();
  }
  if (signal.aborted) stopped ??= 'the load was interrupted';
  const record = recordOf(options, session, { run, stopped, startedAt, leftovers });
  try {
    files.writeRecord(record);
  } catch (error) {
    throw new RecordLost(record, error);
  } finally {
    files.evidence.close();
  }
  return record;
}

async function runWith(
  session: Session,
  options: PerformLoadOptions,
  leftovers: Array<{ id: string; name: string }>,
): Promise<LoadRun> {
  const { target, mix } = options;
  const creates = (mix.createPet ?? 0) > 0;
  const accepted = creates ? await session.store.accepted() : undefined;
  const animal = (mix.getPet ?? 0) > 0 ? await session.store.animal().catch(() => undefined) : undefined;
  const { baseUrl, ca, insecure, deadlineMs: timeoutMs } = target;
  const userAgent = `${suiteName}/${suiteVersion}`;
  return runLoad({
    target: { baseUrl, userAgent, timeoutMs, ca, insecure, environment: options.environment },
    credential: credentialsFor(target.apiKey).valid,
    ratePerSecond: options.ratePerSecond,
    durationMs: options.durationMs,
    mix: animal === undefined ? { ...mix, getPet: 0 } : mix,
    connections: options.connections,
    thresholds: options.thresholds,
    newPet: () => {
      const name = session.name('load');
      return { name, body: writeJson({ name, categoryId: accepted?.body.categoryId ?? 1n }) };
    },
    petId: animal?.id,
    created: ({ body }, name) => {
      const parsed = parseJson(Buffer.from(body).toString('utf8'));
      const created = parsed.ok ? animalOf(parsed.value) : undefined;
      if (created) leftovers.push({ id: created.id, name });
    },
    redact: session.redact,
    record: (exchange) => session.client.log.record(exchange),
    progress: options.progress,
    clock: options.clock,
    signal: options.signal,
  });
}

function settingsOf(options: PerformLoadOptions): Settings {
  const { target, seed, directory, command, clock, environment } = options;
  return {
    target,
    profile: 'standard',
    limits: 'none',
    only: [],
    except: [],
    strict: false,
    seed,
    directory,
    command,
    clock,
    environment,
  };
}

/** What was sent to set the load up and, of the load itself, all: a long one is recorded in part. */
function requestsOf(
  log: Session['client']['log'],
  load: LoadMeasurement | undefined,
): Pick<RunRecord['requests'], 'sent' | 'byOperation'> {
  if (!load) return { sent: log.sent, byOperation: { ...log.byOperation } };
  const setUp = log.exchanges.filter(({ purpose }) => purpose !== 'load');
  const byOperation: Record<string, number> = { listPets: 0, createPet: 0, getPet: 0 };
  const add = (name: string, requests: number): void => {
    byOperation[name] = (byOperation[name] ?? 0) + requests;
  };
  for (const { operation } of setUp) add(operation ?? 'unlisted', 1);
  for (const [name, { sent }] of Object.entries(load.byOperation)) add(name, sent);
  return { sent: setUp.length + load.sent, byOperation };
}

interface LoadEnd {
  readonly run: LoadRun | undefined;
  readonly stopped: string | undefined;
  readonly startedAt: string;
  readonly leftovers: ReadonlyArray<{ readonly id: string; readonly name: string }>;
}

function recordOf(
  options: PerformLoadOptions,
  { client, redact, knownPets }: Session,
  { run, stopped, startedAt, leftovers }: LoadEnd,
): RunRecord {
  const { target, seed, command, clock } = options;
  const { plan } = target;
  const reason = 'a load judges no requirement';
  const { sent, byOperation } = requestsOf(client.log, run?.load);
  const left = new Map([...leftovers, ...knownPets.leftovers()].map((animal) => [animal.id, animal]));
  return {
    format: 'petstore-conformance/1',
    suite: { name: suiteName, version: suiteVersion },
    run: {
      id: options.id,
      startedAt,
      finishedAt: new Date(clock.now()).toISOString(),
      seed,
      profile: 'standard',
      limits: 'none',
      complete: stopped === undefined,
      ...(stopped === undefined ? {} : { stopped: redact(stopped) }),
      command: redact(command),
    },
    target: {
      name: target.name,
      baseUrl: redact(target.baseUrl),
      plan: plan.name,
      perMinute: plan.perMinute,
      perDay: plan.perDay,
      planGiven: target.planGiven,
      readOnly: target.readOnly,
      clockDifferenceMs: client.log.clockDifference.milliseconds,
    },
    // Nothing of the specification was judged: no failure among nothing.
    verdict: stopped === undefined ? 'partial' : 'incomplete',
    classes: [],
    requirements: catalogue.map(({ id }) => notTestedResult(id, reason)),
    requests: {
      sent,
      byOperation,
      byOrigin: { [new URL(target.baseUrl).origin]: sent },
      waitedMs: client.waitedMs,
      repeated: client.log.repeated,
    },
    leftovers: [...left.values()],
    ...(run === undefined
      ? {}
      : {
          plans: [
            {
              plan: plan.name,
              perMinute: plan.perMinute,
              perDay: plan.perDay,
              requirements: [],
              phases: [run.phase],
            },
          ],
          load: run.load,
        }),
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
