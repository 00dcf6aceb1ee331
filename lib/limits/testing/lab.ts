import type { Exchange, OperationName } from '../../http/exchange/exchange.js';
import { alter, type Service } from '../../reference/behaviour.js';
import { conformingBehaviour } from '../../reference/reference-behaviour.js';
import { createLimiter } from '../../reference/limiter/limiter.js';
import { AnimalStore } from '../../reference/operations/store.js';
import type { ReferenceOptions } from '../../reference/options.js';
import { createApp } from '../../reference/service.js';
import type { Plan } from '../../specification/plan.js';
import { limitEvidence, type LimitEvidence } from '../limit-evidence.js';
import { repeatsWanted } from '../rows/repeats.js';

/** Records histories of the reference service without a socket, on a clock that only moves when told: for developing the judge. */

export interface LabSetting {
  readonly plan?: Plan;
  /** Milliseconds after the beginning of a minute at which the run begins. */
  readonly beginMs?: number;
  /** The service's clock minus ours. */
  readonly aheadMs?: number;
  /** Longest time that a request or a response takes beyond the usual. */
  readonly jitterMs?: number;
  /** Share of responses that are lost. */
  readonly lost?: number;
  /** Response headers that are left out. */
  readonly without?: readonly string[];
  /** Times, in milliseconds after the begin, at which another client sends with the key. */
  readonly others?: (durationMs: number, random: () => number) => number[];
  readonly seed?: number;
  /** Functional requests before the limits are tried, paced. */
  readonly functional?: number;
  /** How often the plan may be repeated. */
  readonly repeats?: number;
}

const key = 'pets_measured_Qm7RzT2xWb9KdLcH';
const otherKey = 'pets_other_Vh3NsJ8yGf5PaXeU';
const free: Plan = { name: 'free', perMinute: 60, perDay: 1_000 };
const dayBegin = 1_790_000_000_000 - (1_790_000_000_000 % 86_400_000);

interface Sending {
  readonly operation: OperationName | null;
  readonly path?: string;
  readonly body?: string;
  readonly caller?: 'own' | 'other' | 'nobody';
  readonly phase: string;
  readonly purpose?: string;
}

/** A simulated run: the exchanges so far, and the clock. */
export class Lab {
  readonly exchanges: Exchange[] = [];
  readonly plan: Plan;
  now: number;
  readonly #begin: number;
  readonly #app: ReturnType<typeof createApp>;
  readonly #random: () => number;
  readonly #others: number[];
  #names = 0;
  petId = '1';

  constructor(
    options: ReferenceOptions,
    private readonly setting: LabSetting,
  ) {
    this.plan = setting.plan ?? free;
    this.#random = randomFrom(setting.seed ?? 1);
    this.#begin = dayBegin + 3_600_000 + (setting.beginMs ?? 20_000);
    this.now = this.#begin;
    this.#others = (setting.others?.(1_200_000, this.#random) ?? []).map((time) => this.#begin + time);
    this.#app = this.#serve(options);
  }

  #serve(options: ReferenceOptions): ReturnType<typeof createApp> {
    const { windowMs = 60_000, dayMs = 86_400_000 } = options;
    const { perMinute, perDay } = this.plan;
    const service: Service = {
      store: new AnimalStore(),
      keys: [
        { key, perMinute, perDay },
        { key: otherKey, perMinute: 300, perDay: 10_000 },
      ],
      behaviour: alter(
        { ...conformingBehaviour({ headers: options.headers ?? {}, windowMs }), ...options.behaviour },
        options.alterations ?? [],
      ),
      basePath: '/v1',
      now: () => Math.floor(this.now + (this.setting.aheadMs ?? 0)),
    };
    return createApp({
      service,
      limiter: createLimiter(options.limiter ?? {}, { windowMs, dayMs }),
      anonymous: {
        name: 'without a key',
        perMinute: options.anonymous?.perMinute ?? 300,
        perDay: options.anonymous?.perDay ?? 10_000,
      },
      arrived: () => undefined,
    });
  }

  /** Lets time pass, and the other clients send meanwhile. */
  async wait(milliseconds: number): Promise<void> {
    const until = this.now + Math.max(0, milliseconds);
    while ((this.#others[0] ?? Infinity) <= until) {
      this.now = Math.max(this.now, this.#others.shift() ?? until);
      await this.#request({ operation: 'listPets', phase: '' }, 0);
    }
    this.now = until;
  }

  async send(sending: Sending): Promise<Exchange> {
    const before = this.#late();
    const sentAt = this.now;
    await this.wait(0.2 + before);
    const exchange = this.#record(sending, sentAt, await this.#request(sending, this.exchanges.length % 4));
    await this.wait(exchange.timing.total - (this.now - sentAt));
    return exchange;
  }

  /** Sends all at the same moment, over as many connections. */
  async burst(sendings: readonly Sending[]): Promise<readonly Exchange[]> {
    const started = this.now;
    this.now += 1 + (this.setting.jitterMs ?? 0);
    const under: Array<Promise<Captured>> = [];
    for (const [index, sending] of sendings.entries()) {
      under.push(this.#request(sending, index));
      // As on a server, one is taken up after the other, unless it waits for something.
      for (let turn = 0; turn < 40; turn += 1) await Promise.resolve();
    }
    const responses = await Promise.all(under);
    const exchanges = sendings.map((sending, index) =>
      this.#record(sending, started + 0.01 * index + this.#late() * 0.5, responses[index] ?? null),
    );
    await this.wait(Math.max(...exchanges.map(({ timing }) => timing.total)) + 2);
    return exchanges;
  }

  newPet(phase: string, status = 'pending'): Sending {
    this.#names += 1;
    const body = JSON.stringify({ name: `limit ${this.#names}`, categoryId: 1, status });
    return { operation: 'createPet', body, phase };
  }

  #late(): number {
    return this.#random() * (this.setting.jitterMs ?? 0);
  }

  async #request({ operation, path, body, caller = 'own' }: Sending, connection: number): Promise<Captured> {
    const route =
      path ??
      (operation === 'getPet' ? `/pets/${this.petId}` : operation === 'listPets' ? '/pets?limit=1' : '/pets');
    const captured: Captured = { status: null, headers: [], text: '' };
    const sent = caller === 'own' ? key : caller === 'other' ? otherKey : 'pets_nobody_AAAAAAAAAAAAAAAA';
    const method = operation === 'createPet' ? 'POST' : 'GET';
    const incoming = {
      method,
      headers: { authorization: `Bearer ${sent}`, 'content-type': 'application/json' },
      socket: (this.#sockets[connection] ??= {}),
      async *[Symbol.asyncIterator]() {
        if (body !== undefined) yield Buffer.from(body);
      },
    };
    const outgoing = {
      sendDate: false,
      writeHead(status: number, second: unknown, third?: unknown) {
        captured.status = status;
        const flat = (Array.isArray(second) ? second : third) as string[];
        for (let index = 0; index < flat.length; index += 2)
          captured.headers.push([flat[index] ?? '', flat[index + 1] ?? '']);
      },
      end(payload?: Buffer) {
        captured.text = payload?.toString() ?? '';
      },
      destroy() {
        captured.status = null;
      },
    };
    const request = new Request(`http://lab/v1${route}`, { method });
    await this.#app.fetch(request, { incoming, outgoing });
    return captured;
  }

  readonly #sockets: object[] = [];

  #record(sending: Sending, sentAt: number, captured: Captured | null): Exchange {
    const { operation, body, caller = 'own', phase, purpose = 'LIMIT-01' } = sending;
    const lost = captured?.status === null || captured === null || this.#random() < (this.setting.lost ?? 0);
    const total = Math.max(0.3, this.now - sentAt + 0.2 + this.#late());
    const without = new Set((this.setting.without ?? []).map((name) => name.toLowerCase()));
    const exchange: Exchange = {
      id: `e${this.exchanges.length + 1}`,
      purpose,
      operation,
      credential: caller === 'nobody' ? 'unknown' : caller === 'other' ? 'other' : 'valid',
      ...(caller === 'nobody'
        ? {}
        : { caller: caller === 'own' ? 'PETSTORE_API_KEY' : 'PETSTORE_OTHER_API_KEY' }),
      phase,
      input: 'specified',
      sentAt: `${new Date(Math.floor(sentAt)).toISOString().slice(0, -1)}${String(Math.floor((sentAt % 1) * 1000)).padStart(3, '0')}Z`,
      request: {
        method: operation === 'createPet' ? 'POST' : 'GET',
        url: `http://lab/v1${sending.path ?? ''}`,
        headers: [],
        ...(body === undefined ? {} : { body }),
      },
      timing: {
        wait: 0,
        total: Math.round(total * 1000) / 1000,
        ...(lost ? {} : { firstByte: Math.round(total * 1000) / 1000 }),
      },
      ...(lost
        ? { failure: { kind: 'reset' as const, message: 'the connection was reset' } }
        : {
            response: {
              status: captured.status ?? 0,
              headers: captured.headers.filter(([name]) => !without.has(name.toLowerCase())),
              body: { text: captured.text, bytes: captured.text.length },
            },
          }),
    };
    this.exchanges.push(exchange);
    return exchange;
  }

  evidence(stopped?: string): LimitEvidence {
    return limitEvidence(this.exchanges, {
      plan: this.plan,
      caller: 'PETSTORE_API_KEY',
      otherCaller: 'PETSTORE_OTHER_API_KEY',
      readOnly: false,
      stopped,
    });
  }
}

interface Captured {
  status: number | null;
  readonly headers: Array<[string, string]>;
  text: string;
}

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

/** The plan of two windows: in sequence by all operations, and in a burst; and what follows each rejection. */
export async function staggered(options: ReferenceOptions, setting: LabSetting = {}): Promise<Lab> {
  const lab = new Lab(options, setting);
  const { perMinute } = lab.plan;
  const created = await lab.send({ ...lab.newPet('opening') });
  lab.petId = idOf(created) ?? '1';
  for (let sent = 0; sent < (setting.functional ?? 0); sent += 1) {
    await lab.send({ operation: 'listPets', phase: 'probes' });
    await lab.wait(300);
  }
  for (let sent = 0; sent < 10; sent += 1) await lab.send({ operation: 'listPets', phase: 'opening' });
  await lab.wait(5_000);
  await sequence(lab, 2 * perMinute + 2);
  await lookAfterWait(lab);
  await lab.send({ operation: 'createPet', body: '{}', phase: 'costs', purpose: 'LIMIT-13' });
  await lab.send({ operation: 'listPets', phase: 'costs' });
  await lab.send({ operation: 'getPet', path: '/pets/999999999', phase: 'costs', purpose: 'LIMIT-13' });
  await lab.send({ operation: 'listPets', phase: 'costs' });
  await lab.send({ operation: 'listPets', caller: 'nobody', phase: 'costs', purpose: 'LIMIT-13' });
  await burst(lab);
  for (let again = 0; again < (setting.repeats ?? 2); again += 1) {
    const wanted = repeatsWanted(lab.evidence());
    if (wanted.size === 0) break;
    await waitAsAsked(lab);
    await lab.wait(84_000);
    if (wanted.has('sequence')) await sequence(lab, perMinute + 10);
    if (wanted.has('sequence')) await lookAfterWait(lab);
    if (wanted.has('burst')) await burst(lab);
  }
  await waitAsAsked(lab);
  const control = lab.newPet('look');
  await lab.send(control);
  await lab.send({
    operation: 'listPets',
    path: '/pets?status=pending&limit=100',
    phase: 'look',
    purpose: 'LIMIT-07',
  });
  return lab;
}

function idOf(exchange: Exchange): string | undefined {
  return /"id":\s*(\d+)/.exec(exchange.response?.body.text ?? '')?.[1];
}

function inTurn(lab: Lab, index: number, phase: string): Sending {
  if (index % 3 === 1) return lab.newPet(phase);
  return { operation: index % 3 === 0 ? 'listPets' : 'getPet', phase };
}

async function sequence(lab: Lab, most: number): Promise<void> {
  let rejected: OperationName | null | undefined;
  let failed = 0;
  for (let sent = 0; sent < most && rejected === undefined && failed < 3; sent += 1) {
    const { response, operation } = await lab.send(inTurn(lab, sent, 'sequence'));
    if (response?.status === 429) rejected = operation;
    if (!response || response.status === 403 || response.status >= 500) failed += 1;
  }
  await lab.send({ operation: 'listPets', caller: 'other', phase: 'behind sequence', purpose: 'LIMIT-08' });
  if (rejected === undefined) return;
  for (const other of [0, 1, 2]) {
    if (inTurn(lab, other, '').operation === rejected) continue;
    for (let tries = 0; tries < 4; tries += 1) {
      const { response } = await lab.send(inTurn(lab, other, 'behind sequence'));
      if (response?.status === 429) break;
    }
  }
  await lab.send(inTurn(lab, ['listPets', 'createPet', 'getPet'].indexOf(rejected ?? ''), 'behind sequence'));
  await lab.wait(5_000);
  await lab.send({ operation: 'listPets', phase: 'late rejection' });
}

async function burst(lab: Lab): Promise<void> {
  await lab.burst(
    Array.from({ length: lab.plan.perMinute + 5 }, (_unused, index) => inTurn(lab, index, 'burst')),
  );
  await lab.send({ operation: 'listPets', caller: 'other', phase: 'behind burst', purpose: 'LIMIT-08' });
}

async function waitAsAsked(lab: Lab): Promise<void> {
  const last = lab.exchanges.findLast(
    ({ credential, response }) => credential === 'valid' && response?.status === 429,
  );
  const retryAfter = last?.response?.headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1];
  const since = last ? lab.now - (Date.parse(last.sentAt) + last.timing.total) : 0;
  const date = Date.parse(retryAfter ?? '') - lab.now - (lab.evidence().history.clock?.[0] ?? 0);
  const asked = /^\d+$/.test(retryAfter ?? '')
    ? Number(retryAfter) * 1000 - since
    : Number.isNaN(date)
      ? 61_000
      : date;
  await lab.wait(asked > 300_000 ? 61_000 : Math.max(0, asked) + 5);
}

async function lookAfterWait(lab: Lab): Promise<void> {
  await waitAsAsked(lab);
  const { response } = await lab.send({ operation: 'listPets', phase: 'look' });
  if (response?.status !== 429) return;
  await waitAsAsked(lab);
  await lab.wait(2_000);
  const again = await lab.send({ operation: 'listPets', phase: 'look' });
  if (again.response?.status === 429) await lab.wait(62_000);
}
