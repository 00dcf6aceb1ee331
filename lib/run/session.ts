import { createHash, randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { DescriptionFile } from '../description/read-description.js';
import type { RecordedExchange } from '../evidence/recorded-exchange.js';
import { Pets } from '../evidence/pets.js';
import { Client } from '../http/client/client.js';
import { Interrupted } from '../http/client/run-end.js';
import { credentialsFor, renewableCredentials, type Credentials } from '../http/exchange/credential.js';
import { keyVariablesOf } from '../options/target.js';
import type { RunRecord } from '../evidence/record/record.js';
import { openRunFiles, RecordLost } from '../evidence/record/run-files.js';
import { mayBeWord, redactionOf } from '../evidence/redaction.js';
import { isLoopback } from '../http/connection/connector.js';
import { createTransport } from '../http/connection/transport.js';
import type { EvidenceParts } from '../evidence/evidence.js';
import { Store } from '../session/store.js';
import type { RequirementId } from '../specification/catalogue.js';
import type { LedgerLine } from '../load/ledger.js';
import type { RunFacts } from './judge-rows.js';
import { madeOn, suiteName, suiteVersion, thisSuite } from './suite-name.js';
import type { OwnRules } from './own-rules.js';
import type { Obstacle } from './obstacle.js';
import { redacted } from './record-redaction.js';
import type { Listener, Settings } from './settings.js';

/** Requests under way at once: as many as ROBUST-01 asks for, and a service that takes 300 ms for each makes no run of minutes. */
const concurrency = 10;
/** Sockets are more than requests under way at once: a burst is sent at the same moment. */
const connections = 64;
/** Bytes of one response that are read: a page of 100 animals is far below. */
const maximumBytes = 2 * 1024 * 1024;

interface SessionOptions {
  readonly signal: AbortSignal;
  readonly listener: Listener;
  /** The requirements that this run judges, and the file of those that are the user's own. */
  readonly selected: ReadonlySet<RequirementId>;
  readonly own?: OwnRules | undefined;
  /** What an interrupted run has counted of the day. */
  readonly resumed?: readonly LedgerLine[];
}

/**
 * Opens the files of a run and its session, and ends both, whatever becomes of the use. Its record is written last.
 * @throws OutputProblem before anything is sent if the files can't be written; RecordLost if they no longer can be at the end
 */
export async function withSession(
  settings: Settings,
  options: SessionOptions,
  use: (session: Session, files: Pick<ReturnType<typeof openRunFiles>, 'writeRecord'>) => Promise<RunRecord>,
): Promise<RunRecord> {
  const files = openRunFiles(settings.directory, settings.overwrite);
  // Each request and each wait listens for the end; none of them leaks.
  setMaxListeners(0, options.signal);
  const session = openSession(settings, files.append, options);
  try {
    const record = await use(session, files);
    try {
      files.writeRecord(record);
    } catch (error) {
      throw new RecordLost(record, error);
    }
    return record;
  } finally {
    await session.transport.close();
    files.close();
  }
}

export type Session = ReturnType<typeof openSession>;

/** One run's connection to its target, with all that its probes share. */
function openSession(settings: Settings, append: (line: RecordedExchange) => void, options: SessionOptions) {
  const { target, clock, maxRequests } = settings;
  const { signal, listener } = options;
  const { keyName, renewKey } = target;
  const { hostname, origin } = new URL(target.baseUrl);
  const ownCredentials = credentialsFor(target.apiKey, keyName);
  const redact = redactionOf(secretsOf(settings, ownCredentials));
  /** What the target's own key makes: another one takes its place if it runs out. */
  const credentials = renewableCredentials(ownCredentials, async () => {
    const key = await renewKey?.();
    const others = key === undefined ? undefined : credentialsFor(key, keyName);
    redact.add(others?.secrets ?? []);
    return others;
  });
  /** Where its requests go, and how connections are opened: senders beside the client use the same. */
  const destination = {
    ...target,
    userAgent: `${suiteName}/${suiteVersion}`,
    localAddress: target.localAddresses?.[0],
  };
  const transport = createTransport({ ...destination, origin, maximumBytes, connections, clock, signal });
  const pets = new Pets();
  const client = new Client({
    ...destination,
    transport,
    clock,
    signal,
    concurrency,
    // A service on this machine without a limiter has no plan that could be exceeded.
    untilLimited: !target.planGiven && isLoopback(hostname),
    planOption: target.planGiven ? undefined : (target.optionNames?.plan ?? '--plan'),
    maxRequests,
    onWait: (wait) => listener.activity?.(wait && { text: `waiting: ${wait.reason}`, until: wait.until }),
    onExchange: (exchange) => {
      // What is written holds no key; what is judged is what was received.
      append(redacted(exchange.line, redact));
      pets.see(exchange);
      listener.exchange?.(exchange);
    },
  });
  return {
    id: randomUUID(),
    startedAt: new Date(clock.now()).toISOString(),
    settings,
    options,
    client,
    store: new Store(pets, client, credentials, settings),
    redact,
    credentials,
    transport,
    destination,
    /** What rules judge that is no exchange: the limits, once they were measured, and the interface description. */
    parts: {} as { -readonly [Part in keyof EvidenceParts]: EvidenceParts[Part] },
    descriptionFile: undefined as DescriptionFile | undefined,
    obstacle: undefined as Obstacle | undefined,
  };
}

/**
 * What a run tells of itself, so far.
 * @param ended why it does not reach its end, if another than the client and the limits know
 */
export function factsOfRun(session: Session, ended?: string): RunFacts {
  const { settings, client, parts, store } = session;
  const { target, clock, seed, profile, limits, command, strict } = settings;
  const { log, waitedMs } = client;
  const interrupted = session.options.signal.aborted ? new Interrupted().message : undefined;
  const { notes = [], day, stopped: early = day?.stopped } = parts.limits?.facts ?? {};
  const stopped = ended ?? interrupted ?? client.stopped?.message ?? early;
  return {
    format: 'petstore-conformance/1',
    suite: thisSuite,
    run: {
      id: session.id,
      startedAt: session.startedAt,
      finishedAt: new Date(clock.now()).toISOString(),
      seed,
      profile,
      limits,
      complete: stopped === undefined,
      stopped,
      command,
      strict,
      environment: madeOn,
      options: optionsOf(session),
    },
    target: {
      name: target.name,
      baseUrl: target.baseUrl,
      plan: target.plan.name,
      perMinute: target.plan.perMinute,
      perDay: target.plan.perDay,
      planGiven: target.planGiven,
      readOnly: target.readOnly,
      localAddresses: target.localAddresses && [...target.localAddresses],
      keyMayBeWord: mayBeWord(target.apiKey) || undefined,
      clockDifferenceMs: log.clockDifference.milliseconds,
    },
    requests: { sent: log.sent, byOperation: { ...log.byOperation }, waitedMs, repeated: log.repeated },
    leftovers: store.pets.leftovers(store.marker),
    obstacle: session.obstacle?.sentence,
    notes: notes.length > 0 ? [...notes] : undefined,
  };
}

/** What it takes to judge its exchanges again. */
function optionsOf({
  settings,
  descriptionFile: file,
  options: { own },
}: Session): RunFacts['run']['options'] {
  const { only, except, description: source, target } = settings;
  const { consistencyMs, categoryId } = target;
  const sha256 = file?.text === undefined ? undefined : createHash('sha256').update(file.text).digest('hex');
  return {
    only: [...only],
    except: [...except],
    consistencyMs,
    categoryId: categoryId?.toString(),
    description: source === undefined ? undefined : { source, sha256, files: file && [file] },
    rules: own && { file: own.file, sha256: own.sha256, strict: settings.strictRules ?? false },
  };
}

/** The variable that holds the key that was given to be banned. */
export const banVariable = 'PETSTORE_BAN_API_KEY';

/** Every key of a run, with what stands for it in what is recorded. */
function secretsOf({ target, observeBanKey }: Settings, own: Credentials): Credentials['secrets'] {
  const secretsIn = (key: string | undefined, variable: string): Credentials['secrets'] =>
    key === undefined ? [] : credentialsFor(key, { variable }).secrets;
  return [
    ...own.secrets,
    ...secretsIn(target.otherApiKey, keyVariablesOf(target).other),
    ...secretsIn(observeBanKey, banVariable),
    ...(target.secretHeaders ?? []).map(([name, value]) => [value, `[the header ${name}]`] as const),
  ];
}
