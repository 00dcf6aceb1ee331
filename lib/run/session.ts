import { randomUUID } from 'node:crypto';
import type { DescriptionFile } from '../description/target-description.js';
import { isCreation } from '../evidence/exchange.js';
import { leftoversOf } from '../evidence/leftovers.js';
import { unknownKey } from '../draw/refused-values.js';
import { smallestCounterexample } from '../draw/search.js';
import { Draw } from '../draw/seeded.js';
import { Pets } from '../evidence/pets.js';
import { Client } from '../http/client/client.js';
import { credentialsFor, type Credentials } from '../http/exchange/credential.js';
import type { Evidence as EvidenceFile } from '../evidence/evidence-file.js';
import { redactionOf, type Redaction } from '../evidence/redaction.js';
import { isLoopback } from '../http/connection/loopback.js';
import { createTransport } from '../http/connection/transport.js';
import { Api } from '../session/api.js';
import type { LoadTarget } from '../load/lane.js';
import { retryWithin, type RetryUntil } from '../session/retry.js';
import { profileTraits } from '../verdict/profile.js';
import type { JudgedDescription } from '../description/judged-description.js';
import { Evidence, type EvidenceParts } from '../evidence/evidence.js';
import { factsOf } from '../evidence/facts.js';
import type { Probe } from '../verdict/requirement.js';
import type { LimitsOfRun } from '../limits/limits-of-run.js';
import { Names } from '../session/names.js';
import { Store } from '../session/store.js';
import type { RequirementId } from '../specification/catalogue.js';
import { suiteName, suiteVersion } from './suite-name.js';
import type { Counted } from './record-of.js';
import type { ResumedRun } from './resumed-run.js';
import { factsOfRun } from './run-facts.js';
import { livingCredentials, secretsOf } from './run-keys.js';
import type { Listener, Settings } from './settings.js';

/** Requests under way at once: as many as ROBUST-01 asks for, and a service that takes 300 ms for each makes no run of minutes. */
const concurrency = 10;
/** Sockets are more than requests under way at once: a burst is sent at the same moment. */
const connections = 64;
/** Bytes of one response that are read: a page of 100 animals is far below. */
const maximumBytes = 2 * 1024 * 1024;
/** Milliseconds that a run waits in one go: a minute's window and a half. If it must wait longer, it says so and ends. */
const longestWait = 120_000;

export interface SessionOptions {
  readonly evidence: EvidenceFile;
  readonly signal: AbortSignal;
  readonly listener?: Listener | undefined;
  /** The interrupted run that this one resumes. */
  readonly resumed?: ResumedRun | undefined;
  /** The requirements that this run judges: they decide what is sent to try the limits. */
  readonly selected?: ReadonlySet<RequirementId> | undefined;
}

/** One run's connection to its target, with all that its probes share. */
export class Session {
  readonly id: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Why nothing can be judged. */
  obstacle: string | undefined;
  readonly client: Client;
  /** What the exchanges so far show of the animals in the store. */
  readonly pets = new Pets();
  readonly store: Store;
  readonly names: Names;
  readonly redact: Redaction;
  /** What the target's own key makes: another one takes its place if it runs out. */
  readonly credentials: () => Credentials;
  readonly close: () => Promise<void>;
  /** Where its requests go, and how connections are opened: senders beside the client use the same. */
  readonly destination: LoadTarget;
  readonly #settings: Settings;
  readonly #options: SessionOptions;
  readonly #api: Api;
  readonly #retryUntil: RetryUntil;
  /** When the target last created anything. */
  #lastCreation: number | undefined;

  /** What was read of the target's interface description. */
  readonly descriptionFiles: DescriptionFile[] = [];
  /** What the limits came to, once they were measured. */
  limits: LimitsOfRun | undefined;
  #description: JudgedDescription | undefined;

  constructor(settings: Settings, options: SessionOptions) {
    const { evidence, signal, listener = {}, resumed } = options;
    const { target, clock } = settings;
    this.#settings = settings;
    this.#options = options;
    this.id = resumed?.record.run.id ?? randomUUID();
    this.startedAt = resumed?.record.run.startedAt ?? new Date(clock.now()).toISOString();
    const { pauses, cheaper } = profileTraits[settings.profile];
    this.#retryUntil = retryWithin(target.consistencyMs, clock, signal, pauses, () => this.#lastCreation);
    this.redact = redactionOf(secretsOf(settings, credentialsFor(target.apiKey, target.keyName)));
    this.credentials = livingCredentials(target, this.redact);
    this.destination = {
      baseUrl: target.baseUrl,
      userAgent: `${suiteName}/${suiteVersion}`,
      timeoutMs: target.deadlineMs,
      ca: target.ca,
      caFile: target.caFile,
      clientCertificate: target.clientCertificate,
      certFiles: target.certFiles,
      localAddress: target.localAddresses?.[0],
      headers: target.headers,
      environment: settings.environment,
    };
    const transport = createTransport({
      ...this.destination,
      origin: new URL(target.baseUrl).origin,
      deadlineMs: target.deadlineMs,
      maximumBytes,
      connections,
      clock,
    });
    this.close = async () => transport.close();
    this.client = new Client({
      ...this.destination,
      plan: target.plan,
      transport,
      redact: this.redact,
      evidence,
      clock,
      signal,
      concurrency,
      longestWait,
      // A service on this machine without a limiter has no plan that could be exceeded.
      untilLimited: !target.planGiven && isLoopback(new URL(target.baseUrl).hostname),
      optionNames: {
        plan: target.planGiven ? undefined : (target.optionNames?.plan ?? '--plan'),
        fewer: cheaper,
      },
      goOnFrom: resumed?.sent,
      ...(settings.maximumRequests === undefined ? {} : { maximumRequests: settings.maximumRequests }),
      onWait: (wait) => listener.wait?.(wait),
      onExchange: (exchange) => {
        this.pets.see(exchange);
        if (isCreation(exchange)) this.#lastCreation = clock.now();
        listener.sent?.(this.client.log.sent);
        listener.exchange?.(exchange);
      },
    });
    this.names = new Names(settings.seed);
    this.#api = new Api(this.client, this.credentials, 'survey');
    this.store = new Store({
      api: this.#api,
      pets: this.pets,
      retryUntil: this.#retryUntil,
      readOnly: target.readOnly,
      categoryId: target.categoryId,
      names: this.names,
    });
  }

  /** A key that nobody has, drawn for a purpose. */
  unknownKey(purpose: string): string {
    return new Draw(this.#settings.seed, `unknown key for ${purpose}`).one(unknownKey);
  }

  /** What has been counted of its exchanges so far. */
  get counted(): Counted {
    const { log, waitedMs } = this.client;
    const { sent, byOperation, repeated } = log;
    return {
      clockDifferenceMs: log.clockDifference.milliseconds,
      leftovers: leftoversOf(log.exchanges, this.names.marker),
      requests: { sent, byOperation: { ...byOperation }, waitedMs, repeated },
    };
  }

  probe(id: RequirementId): Probe {
    const { client, store } = this;
    const { seed, clock } = this.#settings;
    const draw = new Draw(seed, id);
    const api = this.#api.for(id);
    const facts = { ...factsOf(factsOfRun(this.#settings, this)), redact: this.redact };
    return {
      api,
      store,
      draw,
      name: (label) => this.names.next(label === undefined ? id : `${id} ${label}`),
      newPet: () => store.newPet(id),
      newPetOfOtherStatus: () => store.newPetOfOtherStatus(id),
      search: (arbitrary, { shrinks, ...room }, holds) => {
        const left = (): number => Math.max(0, Math.min(shrinks, client.budget.left - 50));
        return smallestCounterexample(arbitrary, { ...room, seed: draw.seed(), shrinks: left }, holds);
      },
      retryUntil: this.#retryUntil,
      getCreated: (pet) => store.getCreated(pet, id),
      waitUntil: async (moment) => clock.sleep(Math.max(0, moment - clock.now()), this.#options.signal),
      get exchanges() {
        return client.log.exchanges;
      },
      evidence: () => new Evidence(client.log.exchanges, facts),
      facts,
      describedInterface: () => store.once('description', () => this.#describe()),
      limits: () => store.once('limits', () => this.#probeLimits()),
    };
  }

  /** Imported when it is needed: what sends load takes long to import. */
  async #probeLimits(): Promise<LimitsOfRun> {
    const { signal, listener = {}, resumed, selected = new Set() } = this.#options;
    const { probeLimits } = await import('./limits.js');
    const job = { session: this, settings: this.#settings, signal, listener, resumed, selected };
    return (this.limits = await probeLimits(job));
  }

  /** Imported when it is needed: a compiler of schemas, and readers of YAML and of references. */
  async #describe(): Promise<JudgedDescription> {
    const [{ judgedDescription }, { loadTargetDescription }] = await Promise.all([
      import('../description/judged-description.js'),
      import('../description/target-description.js'),
    ]);
    const { target, description, environment } = this.#settings;
    const onFile = (file: DescriptionFile): void => void this.descriptionFiles.push(file);
    const loaded = await loadTargetDescription(description, { target, environment, onFile });
    return (this.#description = judgedDescription(loaded));
  }

  /** What rules judge that is no exchange. */
  get parts(): EvidenceParts {
    return { limits: this.limits, description: this.#description };
  }
}
