import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { DescriptionFile } from '../description/description.js';
import type { RecordedExchange } from '../evidence/recorded-exchange.js';
import { Pets } from '../evidence/pets.js';
import { Client } from '../http/client/client.js';
import { credentialsFor, renewableCredentials, type Credentials } from '../http/exchange/credential.js';
import { keyVariablesOf } from '../options/target.js';
import type { RunRecord } from '../evidence/record/record.js';
import { openRunFiles, RecordLost } from '../evidence/record/run-files.js';
import { redactionOf, type Redaction } from '../evidence/redaction.js';
import { isLoopback } from '../http/connection/loopback.js';
import { createTransport, type Transport } from '../http/connection/transport.js';
import type { LoadTarget } from '../load/lane.js';
import { type Evidence, type EvidenceFacts, evidenceIn, type EvidenceParts } from '../evidence/evidence.js';
import { Store } from '../session/store.js';
import type { RequirementId } from '../specification/catalogue.js';
import { suiteName, suiteVersion } from './suite-name.js';
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
/** Milliseconds that a run waits in one go: a minute's window and a half. If it must wait longer, it says so and ends. */
const longestWait = 120_000;

interface SessionOptions {
  readonly signal: AbortSignal;
  readonly listener: Listener;
  /** The requirements that this run judges, and the file of those that are the user's own. */
  readonly selected: ReadonlySet<RequirementId>;
  readonly own?: OwnRules | undefined;
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
  const session = new Session(settings, files.append, options);
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

/** One run's connection to its target, with all that its probes share. */
export class Session {
  readonly id = randomUUID();
  /** ISO 8601. */
  readonly startedAt: string;
  /** Why nothing can be judged. */
  obstacle: Obstacle | undefined;
  readonly client: Client;
  readonly store: Store;
  readonly redact: Redaction;
  /** What the target's own key makes: another one takes its place if it runs out. */
  readonly credentials: () => Credentials;
  /** The client's connections. */
  readonly transport: Transport;
  /** Where its requests go, and how connections are opened: senders beside the client use the same. */
  readonly destination: LoadTarget;
  /** What was read of the target's interface description. */
  descriptionFile: DescriptionFile | undefined;
  /** What rules judge that is no exchange: the limits, once they were measured, and the interface description. */
  readonly parts: { -readonly [Part in keyof EvidenceParts]: EvidenceParts[Part] } = {};

  constructor(
    readonly settings: Settings,
    append: (line: RecordedExchange) => void,
    readonly options: SessionOptions,
  ) {
    const { target, clock, environment, maxRequests } = settings;
    const { signal, listener } = options;
    this.startedAt = new Date(clock.now()).toISOString();
    const { keyName, renewKey } = target;
    const ownCredentials = credentialsFor(target.apiKey, keyName);
    this.redact = redactionOf(secretsOf(settings, ownCredentials));
    this.credentials = renewableCredentials(ownCredentials, async () => {
      const key = await renewKey?.();
      const others = key === undefined ? undefined : credentialsFor(key, keyName);
      this.redact.add(others?.secrets ?? []);
      return others;
    });
    const { hostname, origin } = new URL(target.baseUrl);
    const destination = {
      ...target,
      userAgent: `${suiteName}/${suiteVersion}`,
      localAddress: target.localAddresses?.[0],
      environment,
    };
    this.destination = destination;
    this.transport = createTransport({ ...destination, origin, maximumBytes, connections, clock, signal });
    const pets = new Pets();
    this.client = new Client({
      ...destination,
      transport: this.transport,
      clock,
      signal,
      concurrency,
      longestWait,
      // A service on this machine without a limiter has no plan that could be exceeded.
      untilLimited: !target.planGiven && isLoopback(hostname),
      planOption: target.planGiven ? undefined : (target.optionNames?.plan ?? '--plan'),
      maxRequests,
      onWait: (wait) => listener.activity?.(wait && { text: `waiting: ${wait.reason}`, until: wait.until }),
      onExchange: (exchange) => {
        // What is written holds no key; what is judged is what was received.
        append(redacted(exchange.line, this.redact));
        pets.see(exchange);
        listener.exchange?.(exchange);
      },
    });
    this.store = new Store(pets, this.client, this.credentials, settings);
  }

  /** All that the exchanges so far show. */
  evidence(facts: EvidenceFacts): Evidence {
    return evidenceIn(this.client.log.exchanges, facts, this.parts, this.store.pets);
  }

  /** Imported when it is needed: what sends load takes long to import. */
  async probeLimits(): Promise<void> {
    const { probeLimits } = await import('./limits.js');
    this.parts.limits = await probeLimits(this);
  }

  /** Imported when it is needed: a compiler of schemas, and readers of YAML and of references. */
  async describe(): Promise<void> {
    const [{ judgedDescription }, { readDescription }] = await Promise.all([
      import('../description/judged-description.js'),
      import('../description/read-description.js'),
    ]);
    const { target, description } = this.settings;
    if (description === undefined) return;
    this.descriptionFile = await readDescription(description, this.destination, target.apiKey);
    this.parts.description = judgedDescription(description, this.descriptionFile);
  }
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
