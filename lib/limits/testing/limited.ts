import '../../../suites/limits.suite.js';
import '../../../suites/rate.suite.js';
import type { Evidence } from '../../evidence/evidence.js';
import { Exchange } from '../../evidence/exchange.js';
import type { OperationName } from '../../evidence/recorded-exchange.js';
import type { RequirementResult } from '../../evidence/record/record.js';
import type { RequirementId } from '../../specification/catalogue.js';
import { judgeRule } from '../../verdict/judgement.js';
import { declarationOf } from '../../verdict/requirement.js';
import { limitEvidence, type LimitEvidence } from '../limits-of-run.js';
import { exchangeOf } from '../../verdict/testing/exchange.js';

/** The full minute in which the histories of tests begin. */
const begin = Date.UTC(2026, 0, 1, 12);

/** A request and its response. Times are seconds since `begin`. */
export interface Sent {
  readonly at: number;
  readonly status?: number | null;
  readonly remaining?: number;
  /** By default 5. */
  readonly limit?: number;
  readonly reset?: number | undefined;
  readonly retryAfter?: string;
  readonly operation?: OperationName;
  readonly caller?: string;
  readonly phase?: string;
}

/** What a fixed window of a minute does that a test wants otherwise. */
export interface Limited {
  readonly admits?: number;
  /** What it says of the requests that are left, instead of the truth. */
  readonly shows?: (remaining: number) => number;
  /** What it has used as each window but the first begins. */
  readonly carried?: number;
  /** What a creation uses; it is rejected if less is left. */
  readonly creation?: number;
}

const operations = ['listPets', 'createPet', 'getPet'] as const;

/** What a limiter of five requests a minute, by the clock, responds to requests at these seconds. */
export function limited(
  times: readonly number[],
  { admits = 5, shows = (remaining) => remaining, carried = 0, creation = 1 }: Limited = {},
): Sent[] {
  const used = new Map<number, number>();
  return times.map((at, index) => {
    const window = Math.floor(at / 60);
    const before = used.get(window) ?? (used.size > 0 ? carried : 0);
    const operation = operations[index % operations.length] ?? 'listPets';
    const cost = operation === 'createPet' ? creation : 1;
    const isAdmitted = before + cost <= admits;
    const after = before + (isAdmitted ? cost : 0);
    used.set(window, after);
    const reset = (window + 1) * 60;
    return {
      at,
      operation,
      status: isAdmitted ? (operation === 'createPet' ? 201 : 200) : 429,
      remaining: Math.max(0, shows(Math.max(0, admits - after))),
      reset,
      ...(!isAdmitted && { retryAfter: String(Math.ceil(reset - at)) }),
    };
  });
}

/** So many requests, a tenth of a second apart or all at once. */
export function times(from: number, count: number, apart = 0.1): number[] {
  return Array.from({ length: count }, (_unused, index) => from + index * apart);
}

/** What the declared rule of a requirement makes of the limits. */
export function judgedBy(id: RequirementId, limits: LimitEvidence): RequirementResult {
  const evidence = { parts: { limits }, exchanges: [], facts: limits.facts } as unknown as Evidence;
  return judgeRule(id, () => declarationOf(id).rule(evidence));
}

export function evidenceOf(
  sent: readonly Sent[],
  facts: Partial<LimitEvidence['facts']> = {},
): LimitEvidence {
  const plan = { name: 'enterprise', perMinute: 5, perDay: 10_000 } as const;
  return limitEvidence(sent.map(exchangeFor), {
    plan,
    caller: 'PETSTORE_API_KEY',
    otherCaller: 'PETSTORE_OTHER_API_KEY',
    readOnly: false,
    ...facts,
  });
}

function exchangeFor(sent: Sent, index: number): Exchange {
  const {
    at,
    status = 200,
    remaining,
    limit = 5,
    reset,
    retryAfter,
    operation = 'listPets',
    caller,
    phase,
  } = sent;
  const told: ReadonlyArray<[name: string, value: string | undefined]> = [
    ['X-RateLimit-Limit', String(limit)],
    ['X-RateLimit-Remaining', remaining?.toString()],
    ['X-RateLimit-Reset', reset === undefined ? undefined : String(begin / 1000 + reset)],
    ['Retry-After', retryAfter],
    ['Date', new Date(begin + at * 1000).toUTCString()],
  ];
  const exchange = exchangeOf({
    id: `e${index + 1}`,
    operation,
    credential: caller === undefined ? 'valid' : 'other',
    sentAt: new Date(begin + at * 1000).toISOString(),
    status,
    headers: told.flatMap(([header, value]) => (value === undefined ? [] : [[header, value]])),
    json: [],
    total: 20,
  });
  return new Exchange({
    ...exchange.line,
    caller: caller ?? 'PETSTORE_API_KEY',
    ...(phase !== undefined && { phase }),
  });
}
