import type { Clock } from '../http/clock/clock.js';
import { roundedDuration } from '../http/clock/clock.js';
import { credentialsFor } from '../http/exchange/credential.js';
import { createPet, getPet, listPets, type PlannedRequest } from '../http/exchange/planned-request.js';
import { parseRateHeaders } from '../http/headers/rate-headers.js';
import { redactionOf } from '../http/redaction/redaction.js';
import type { LedgerEntry } from '../load/ledger.js';
import type { LoadTarget } from '../load/load-target.js';
import { paced } from '../load/paced.js';
import { animalOf, animalsOf } from '../session/animal.js';
import { isAccepted } from '../session/creation.js';
import { parseJson, writeJson } from '../specification/json-value.js';
import { Pause } from '../sustained/pause.js';
import type { FleetPlan } from './fleet-plan.js';
import type { LedgerWriter } from './ledger-file.js';
import { arrivalsOf, budgetOf, isOwn, mostMeasurements, type Arrival } from './share.js';
import { TargetClock } from './target-clock.js';

export interface PartOptions {
  readonly plan: FleetPlan;
  /** From 0. */
  readonly worker: number;
  readonly apiKey: string;
  readonly ledger: LedgerWriter;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Milliseconds to which the difference of the clocks is measured before the start. */
const wantedMs = 65;
/** Milliseconds between measuring and the start in which connections are opened. */
const leadMs = 500;
const keptHeaders = /^(?:date|retry-after|x-ratelimit-(?:limit|remaining|reset))$/i;

/**
 * Does one worker's part of a plan, and writes its ledger. The worker measures how its clock differs from the target's,
 * begins when the plan says by the target's clock, and stops for a window as soon as the target says that it is used up:
 * every worker sees that in its own responses, and so the fleet stops without a word between workers.
 */
export async function runPart(options: PartOptions): Promise<void> {
  const { plan, worker, ledger } = options;
  const { workers, suite, digest } = plan;
  const [node, platform] = [process.versions.node, `${process.platform} ${process.arch}`];
  const { version } = suite;
  const format = 'petstore-conformance-ledger/1';
  ledger.write({ ledger: 'begin', format, plan: digest, worker, workers, version, node, platform });
  const part = new Part(options);
  await part.measure();
  const start = part.start();
  const share = arrivalsOf(plan).filter(({ number }) => isOwn(number, worker, plan));
  if (typeof start === 'string') {
    ledger.end({ requests: part.written, withheld: 0, unsent: share.length, stopped: start });
    return;
  }
  ledger.write({ ledger: 'start', at: start.at, ownAt: start.ownAt });
  await part.send(share, start.ownAt);
}

class Part {
  written = 0;
  readonly #options: PartOptions;
  readonly #target: LoadTarget;
  readonly #targetClock = new TargetClock();
  readonly #pause = new Pause();
  readonly #redact: (text: string) => string;
  /** What remained by the latest response, when its request was sent, and when all is given back by the target's clock. */
  #remaining: { readonly left: number; readonly sentAt: number; readonly resetAt: number } | undefined;
  /** When requests were sent of which that response may know nothing. */
  #sentSince: number[] = [];
  #animal: string | undefined;
  #reset: number | undefined;

  constructor(options: PartOptions) {
    const { plan, environment, apiKey } = options;
    const { baseUrl, insecure, timeoutMs } = plan.target;
    this.#options = options;
    this.#redact = redactionOf(credentialsFor(apiKey).secrets);
    const userAgent = `${plan.suite.name}/${plan.suite.version}`;
    this.#target = { baseUrl, userAgent, timeoutMs, insecure, environment };
  }

  /** Sends listings until the difference of the clocks is known, each when the target's second may turn. */
  async measure(): Promise<void> {
    const { clock, signal, plan, worker } = this.#options;
    const most = Math.min(mostMeasurements, budgetOf(plan, worker));
    for (let sent = 0; sent < most && !signal.aborted; sent += 1) {
      const known = this.#targetClock.at(clock.now());
      if (known && known[1] - known[0] <= wantedMs) return;
      if (known) {
        // Whether the second turns before or after this moment halves what is not known.
        const middle = clock.now() + (known[0] + known[1]) / 2;
        await clock.sleep(1_000 - (middle % 1_000), signal).catch(() => undefined);
      }
      await this.#paced({ share: [], startAt: clock.now(), number: -1 - sent });
    }
  }

  /** The moment at which the fleet starts, by the target's clock and by ours; or why this worker can't start. */
  start(): { readonly at: number; readonly ownAt: number } | string {
    const { clock, plan, signal } = this.#options;
    if (signal.aborted) return 'the worker was interrupted';
    const now = clock.now();
    const known = this.#targetClock.at(now);
    if (!known) return 'no response had a Date header: the clock of the target is not known';
    const difference = (known[0] + known[1]) / 2;
    const { rule, everyMs, notBefore, latest } = plan.start;
    const earliest = Math.max(notBefore, now + difference + leadMs);
    if (rule === 'reset' && this.#reset === undefined) return 'no response announced a Reset to start at';
    const origin = rule === 'reset' ? (this.#reset ?? 0) : notBefore;
    const at = origin + Math.ceil((earliest - origin) / everyMs) * everyMs;
    if (at > latest) return `the plan has expired: it starts until ${new Date(latest).toISOString()}`;
    return { at, ownAt: at - difference };
  }

  async send(share: readonly Arrival[], startAt: number): Promise<void> {
    const { ledger, signal, plan, worker } = this.#options;
    const left = Math.max(0, budgetOf(plan, worker) - this.written);
    const measured = this.written;
    const { sent, withheld } = await this.#paced({ share, startAt, most: left });
    const unsent = share.length - sent - withheld;
    const stopped = signal.aborted
      ? 'the worker was interrupted'
      : unsent > 0
        ? 'the budget was spent'
        : undefined;
    ledger.end({ requests: measured + sent, withheld, unsent, ...(stopped !== undefined && { stopped }) });
  }

  /** Sends a share, or one listing that measures the clocks. */
  async #paced({
    share,
    startAt,
    number: measuring,
    most = share.length,
  }: {
    readonly share: readonly Arrival[];
    readonly startAt: number;
    readonly number?: number;
    readonly most?: number;
  }) {
    const { clock, signal, plan } = this.#options;
    const places = new Map<PlannedRequest, { number: number; name?: string }>();
    let sent = 0;
    return paced({
      target: this.#target,
      clock,
      signal,
      startAt,
      ratePerSecond: plan.load.ratePerSecond,
      momentOf: (index) => share[index]?.atMs ?? 0,
      count: measuring === undefined ? share.length : 1,
      connections: plan.load.connections,
      request: (index) => {
        const arrival = share[index];
        if (measuring === undefined && (!arrival || sent >= most)) return undefined;
        sent += 1;
        this.#sentSince.push(clock.now());
        const number = measuring ?? arrival?.number ?? 0;
        const name = `pc${plan.seed.toString(36)} load ${number}`;
        const request = this.#request(arrival?.operation ?? 'listPets', name);
        places.set(request, { number, ...(request.operation === 'createPet' && { name }) });
        return request;
      },
      answered: ({ entry, plannedAt }) => {
        const place = places.get(entry.request);
        places.delete(entry.request);
        if (place) this.#write(entry, plannedAt, place);
      },
      heldBackUntil: () => this.#heldBackUntil(),
    });
  }

  #request(operation: Arrival['operation'], name: string): PlannedRequest {
    const { apiKey, plan } = this.#options;
    const { valid: credential } = credentialsFor(apiKey);
    const common = { purpose: 'load', credential, input: 'specified' } as const;
    if (operation === 'createPet') {
      const categoryId = BigInt(plan.target.categoryId ?? 1);
      return { ...createPet(writeJson({ name, categoryId })), ...common };
    }
    if (operation === 'getPet' && this.#animal !== undefined) return { ...getPet(this.#animal), ...common };
    return { ...listPets([['limit', 20]]), ...common };
  }

  /** Until when nothing may be sent: after a 429, and as soon as the workers may have used up what remains. */
  #heldBackUntil(): number | undefined {
    const { clock, plan } = this.#options;
    const now = clock.now();
    const difference = this.#targetClock.at(now)?.[0] ?? 0;
    const { left = Infinity, resetAt = 0 } = this.#remaining ?? {};
    // The others have sent as much meanwhile, and are about to send, too.
    const isUsedUp = left < plan.workers * (this.#sentSince.length + 1);
    const until = Math.max(this.#pause.until, isUsedUp ? resetAt - difference : 0);
    return until > now ? until : undefined;
  }

  /** Requests that were sent after the one of this response may not be counted in what it says. */
  #remains(left: number, sentAt: number, resetAt: number): void {
    if (this.#remaining && sentAt < this.#remaining.sentAt) return;
    this.#remaining = { left, sentAt, resetAt };
    this.#sentSince = this.#sentSince.filter((moment) => moment > sentAt);
  }

  #write(entry: LedgerEntry, planned: number, { number, name }: { number: number; name?: string }): void {
    const { plan, ledger } = this.#options;
    const { status, request, connection, failure } = entry;
    const headers = entry.headers
      .filter(([header]) => keptHeaders.test(header))
      .map(([header, value]): [string, string] => [header, this.#redact(value)]);
    const { date, limit, remaining, resetAt } = parseRateHeaders(headers);
    if (date !== undefined && status !== null)
      this.#targetClock.add({ date, sentAt: entry.sentAt, receivedAt: entry.at });
    this.#reset = resetAt ?? this.#reset;
    if (status === 429) this.#pause.rejected(entry);
    else if (status !== null && status < 400) this.#pause.admitted();
    const isOfPlan = limit === plan.target.plan.perMinute || limit === plan.target.plan.perDay;
    if (plan.target.planGiven && isOfPlan && remaining !== undefined)
      this.#remains(remaining, entry.sentAt, resetAt ?? 0);
    const json = parseJson(Buffer.from(entry.body).toString('utf8'));
    const value = json.ok ? json.value : undefined;
    if (request.operation === 'listPets' && status === 200) this.#animal ??= animalsOf(value)?.[0]?.id;
    const created = name !== undefined && isAccepted(status) ? animalOf(value) : undefined;
    this.written += 1;
    ledger.write({
      ledger: 'request',
      number,
      planned: roundedDuration(planned),
      sent: roundedDuration(entry.sentAt),
      head: roundedDuration(entry.at),
      status,
      operation: request.operation ?? 'listPets',
      ...(connection !== undefined && { connection }),
      headers,
      ...(failure && { failure: { kind: failure.kind, message: this.#redact(failure.message) } }),
      ...(created && name !== undefined && { created: { id: created.id, name } }),
    });
  }
}
