import { credentialsFor } from '../../http/exchange/credential.js';
import type { Exchange } from '../../http/exchange/exchange.js';
import { redactionOf } from '../../http/redaction/redaction.js';
import type { ReferenceOptions } from '../../reference/options.js';
import { serveReference, type ReferenceService } from '../../reference/serve.js';
import { SkippingClock } from '../../http/clock/skipping-clock.js';
import { KeySession } from '../key-session.js';
import type { Budget, LimitRunOptions } from '../limit-run.js';
import { measureMinute } from '../minute-run.js';
import { judgedRuns, type JudgedRun } from './judged.js';

/** The keys of a limit run in tests: one to be measured, and one beside it. */
const key = 'pets_measured_Qm7RzT2xWb9KdLcH';
const otherKey = 'pets_other_Vh3NsJ8yGf5PaXeU';

export interface AgainstReference {
  readonly perMinute?: number;
  readonly perDay?: number;
  /** Milliseconds since the epoch at which the run begins: its place within the minute. */
  readonly begin?: number;
  /** Milliseconds by which the service's clock is ahead. */
  readonly ahead?: number;
  readonly readOnly?: boolean;
  /** Without a second key. */
  readonly alone?: boolean;
  readonly progress?: (text: string) => void;
  readonly signal?: AbortSignal;
  /** The restraint that targets beyond this machine are treated with. */
  readonly treatAsRemote?: boolean;
  /** Done before the run begins. */
  readonly before?: (run: LimitRunOptions) => Promise<void>;
  /** Listings that the same run has sent with the key before its limits are measured. */
  readonly earlier?: number;
  /** Requests that may be sent as a whole. */
  readonly maximum?: number;
  /** Told of each exchange, with its number. */
  readonly exchanged?: (number: number, service: ReferenceService) => void;
}

/** Does something with a reference service made with these options, in leaps over every wait. */
export async function limitRunAgainst<Result>(
  options: ReferenceOptions,
  setting: AgainstReference,
  perform: (run: LimitRunOptions, exchanges: readonly Exchange[]) => Promise<Result>,
): Promise<Result> {
  const { perMinute = 60, perDay = 1_000, ahead = 0 } = setting;
  const clock = new SkippingClock(setting.begin);
  const quota = { perMinute, perDay };
  const service = await serveReference({
    ...options,
    keys: [
      { key, ...quota },
      { key: otherKey, perMinute: 300, perDay: 10_000 },
    ],
    now: () => Math.floor(clock.now() + ahead),
  });
  const exchanges: Exchange[] = [];
  const credentials = credentialsFor(key);
  let names = 0;
  const run: LimitRunOptions = {
    target: { baseUrl: service.baseUrl, timeoutMs: 5_000 },
    plan: { name: 'enterprise', ...quota },
    credential: credentials.valid,
    unknownCredential: credentials.unknown('pets_nobody_AAAAAAAAAAAAAAAA'),
    ...(setting.alone ? {} : { otherCredential: { ...credentialsFor(otherKey).valid, kind: 'other' } }),
    readOnly: setting.readOnly ?? false,
    newPet: (status) => {
      names += 1;
      return {
        name: `limit ${names}`,
        body: JSON.stringify({ name: `limit ${names}`, categoryId: 1, status }),
      };
    },
    quietStatus: 'pending',
    redact: redactionOf(credentials.secrets),
    record: (exchange) => {
      const recorded = { id: `e${exchanges.length + 1}`, ...exchange };
      exchanges.push(recorded);
      setting.exchanged?.(exchanges.length, service);
      return recorded;
    },
    progress: setting.progress ?? (() => undefined),
    clock,
    signal: setting.signal ?? new AbortController().signal,
    userAgent: 'petstore-conformance/test',
    ...(setting.maximum === undefined ? {} : { budget: budgetOf(setting.maximum, () => exchanges.length) }),
    ...(setting.treatAsRemote ? { treatAsRemote: true } : {}),
  };
  try {
    await setting.before?.(run);
    const session = new KeySession(run);
    for (let sent = 0; sent < (setting.earlier ?? 0); sent += 1) await session.one(session.list('survey'));
    return await perform({ ...run, earlier: session.history }, exchanges);
  } finally {
    await service.close();
  }
}

function budgetOf(maximum: number, sent: () => number): Budget {
  return {
    reserve: (requests) => Math.max(0, Math.min(requests, maximum - sent())),
    release: () => undefined,
    spent: 'the budget is spent',
  };
}

/** Measures a reference service made with these options. */
export async function measureReference(
  options: ReferenceOptions,
  setting: AgainstReference = {},
): Promise<JudgedRun & { readonly exchanges: readonly Exchange[] }> {
  return limitRunAgainst(options, setting, async (run, exchanges) => {
    const [judged] = await judgedRuns([await measureMinute(run)]);
    if (!judged) throw new Error('one run has one result');
    return { ...judged, exchanges };
  });
}

/** The rows that failed or warned, and those that are anything else than pass or observed. */
export function turned({ measurement }: Pick<JudgedRun, 'measurement'>): string[] {
  return measurement.requirements
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    .map(({ id }) => id);
}
