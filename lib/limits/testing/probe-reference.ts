import { SkippingClock } from '../../http/clock/testing/skipping-clock.js';
import { Budget } from '../../http/client/run-end.js';
import { timeOfWork } from '../../http/clock/testing/time-of-work.js';
import { credentialsFor } from '../../http/exchange/credential.js';
import { Exchange } from '../../evidence/exchange.js';
import type { ReferenceOptions } from '../../reference/options.js';
import { serveReference, type ReferenceService } from '../../reference/serve.js';
import { LimitSession, type ProbeOptions } from '../probe/session.js';
import { probeMinute } from '../probe/probes.js';
import type { LimitFacts } from '../history/history.js';

/** The keys in tests: one to be measured, and one beside it. */
const key = 'pets_measured_Qm7RzT2xWb9KdLcH';
const otherKey = 'pets_other_Vh3NsJ8yGf5PaXeU';

export interface ReferenceSetting {
  readonly perMinute?: number;
  readonly perDay?: number;
  /** Milliseconds since the epoch at which the probes begin: their place within the minute. */
  readonly begin?: number;
  /** Milliseconds by which the service's clock is ahead. */
  readonly ahead?: number;
  readonly readOnly?: boolean;
  /** Without a second key. */
  readonly alone?: boolean;
  readonly signal?: AbortSignal;
  /** The restraint that targets beyond this machine are treated with. */
  readonly treatAsRemote?: boolean;
  /** Requests that may be sent as a whole. */
  readonly maximum?: number;
  /** Done before the probes begin. */
  readonly before?: (options: ProbeOptions) => Promise<void>;
  /** Listings that the functional probes of the run have sent with the key. */
  readonly functional?: number;
  /** Called with the number of each exchange. */
  readonly exchanged?: (number: number, service: ReferenceService) => void;
  readonly isRepeatWanted?: boolean;
}

/** Does something with a reference service made with these options, skipping every wait. */
export async function withReference<Result>(
  reference: ReferenceOptions,
  setting: ReferenceSetting,
  perform: (options: ProbeOptions, exchanges: readonly Exchange[]) => Promise<Result>,
): Promise<Result> {
  const { perMinute = 60, perDay = 100_000, ahead = 0 } = setting;
  const clock = new SkippingClock(setting.begin, timeOfWork());
  const quota = { perMinute, perDay };
  const service = await serveReference({
    ...reference,
    keys: [
      { key, ...quota },
      { key: otherKey, perMinute: 300, perDay: 10_000 },
    ],
    now: () => Math.floor(clock.now() + ahead),
  });
  const created = await fetch(`${service.baseUrl}/pets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${otherKey}`, 'content-type': 'application/json' },
    body: '{"name":"known","categoryId":1,"status":"sold"}',
  });
  const { id } = (await created.json()) as { readonly id?: number };
  const exchanges: Exchange[] = [];
  const credentials = credentialsFor(key);
  let names = 0;
  const options: ProbeOptions = {
    target: { baseUrl: service.baseUrl, userAgent: 'petstore-conformance/test', deadlineMs: 5_000 },
    facts: {
      plan: { name: 'enterprise', ...quota },
      caller: 'PETSTORE_API_KEY',
      otherCaller: setting.alone ? undefined : 'PETSTORE_OTHER_API_KEY',
      readOnly: setting.readOnly ?? false,
    },
    ledger: () => undefined,
    credential: credentials.valid,
    unknownCredential: credentials.unknown('pets_nobody_AAAAAAAAAAAAAAAA'),
    ...(setting.alone
      ? {}
      : {
          otherCredential: {
            ...credentialsFor(otherKey, { variable: 'PETSTORE_OTHER_API_KEY' }).valid,
            kind: 'other',
          },
        }),
    newPet: (status) => {
      names += 1;
      return JSON.stringify({ name: `limit ${names}`, categoryId: 1, status });
    },
    rarestStatus: 'pending',
    petId: id === undefined ? undefined : String(id),
    exchanges: () => exchanges,
    isRepeatWanted: () => setting.isRepeatWanted === true,
    record: (exchange) => {
      const recorded = new Exchange({ id: `e${exchanges.length + 1}`, ...exchange });
      exchanges.push(recorded);
      setting.exchanged?.(exchanges.length, service);
      return recorded;
    },
    progress: () => undefined,
    clock,
    signal: setting.signal ?? new AbortController().signal,
    budget: new Budget(setting.maximum),
    ...(setting.treatAsRemote ? { treatAsRemote: true } : {}),
  };
  try {
    await setting.before?.(options);
    const session = new LimitSession(options);
    for (let sent = 0; sent < (setting.functional ?? 0); sent += 1) await session.look();
    for (const [index, { line }] of exchanges.entries())
      exchanges[index] = new Exchange({ ...line, phase: undefined });
    return await perform(options, exchanges);
  } finally {
    await service.close();
  }
}

/** Probes the limits of a reference service made with these options. */
export async function probeReference(
  reference: ReferenceOptions,
  setting: ReferenceSetting = {},
): Promise<{ readonly facts: LimitFacts; readonly exchanges: readonly Exchange[] }> {
  return withReference(reference, setting, async (options, exchanges) => ({
    facts: await probeMinute(options),
    exchanges,
  }));
}
