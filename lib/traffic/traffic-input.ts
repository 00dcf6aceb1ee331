import { firstValueOf } from '../http/headers/header-list.js';
import type { Exchange, OperationName } from '../http/exchange/exchange.js';
import { int64, petStatuses } from '../specification/body-schema.js';
import { parseJson } from '../specification/json-value.js';

/** What others sent: whether the specification says what follows, and what is wrong with a body. */

interface SentRequest {
  readonly operation: OperationName | null;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly type: string | undefined;
  readonly body: string | undefined;
}

/** The one thing that is wrong with the body of a creation, by the requirement that is about it. */
export type BodyFault = 'CREATE-05' | 'CREATE-06' | 'CREATE-07' | 'CREATE-08' | 'CREATE-09' | 'CREATE-10';

export type SentBody =
  | { readonly kind: 'valid'; readonly members: Readonly<Record<string, unknown>> }
  | {
      readonly kind: 'faulty';
      readonly fault: BodyFault;
      readonly members: Readonly<Record<string, unknown>>;
    }
  /** The specification does not say what follows, or the file does not hold it. */
  | { readonly kind: 'open' };

const statuses: ReadonlySet<unknown> = new Set(petStatuses);

/** Characters of a name that every service takes. */
const longestName = 64;

export function sentBody({ request }: Pick<Exchange, 'request'>): SentBody {
  const { body, headers } = request;
  const valueOf = (name: string): string => firstValueOf(headers, name) ?? '';
  if (body === undefined)
    return valueOf('content-length') === '0'
      ? { kind: 'faulty', fault: 'CREATE-10', members: {} }
      : { kind: 'open' };
  if (!/^application\/json\b/i.test(valueOf('content-type'))) return { kind: 'open' };
  const parsed = parseJson(body);
  if (!parsed.ok)
    return parsed.problem === 'syntax'
      ? { kind: 'faulty', fault: 'CREATE-10', members: {} }
      : { kind: 'open' };
  const { value } = parsed;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { kind: 'faulty', fault: 'CREATE-10', members: {} };
  const members = value as Record<string, unknown>;
  const { name, categoryId, status, ...others } = members;
  const faults: BodyFault[] = [
    ...(!('name' in members)
      ? (['CREATE-05'] as const)
      : typeof name === 'string'
        ? []
        : (['CREATE-07'] as const)),
    ...(!('categoryId' in members)
      ? (['CREATE-06'] as const)
      : int64.safeParse(categoryId).success
        ? []
        : (['CREATE-08'] as const)),
    ...(!('status' in members) || statuses.has(status) ? [] : (['CREATE-09'] as const)),
  ];
  const [fault, ...more] = faults;
  if (more.length > 0 || Object.keys(others).length > 0) return { kind: 'open' };
  if (fault !== undefined) return { kind: 'faulty', fault, members };
  const isPlain =
    typeof name === 'string' && name === name.trim() && name !== '' && name.length <= longestName;
  return isPlain && !/\p{Cc}/u.test(name) ? { kind: 'valid', members } : { kind: 'open' };
}

/** The number of a `limit` from 1 to 100 that stands alone; undefined for any other. */
export function limitOf(query: URLSearchParams): number | undefined {
  const [limit = '', ...more] = query.getAll('limit');
  const number = /^[1-9]\d{0,2}$/.test(limit) ? Number(limit) : 0;
  return more.length === 0 && number >= 1 && number <= 100 ? number : undefined;
}

/** A `status` of section 3 that stands alone; undefined for any other. */
export function statusOf(query: URLSearchParams): string | undefined {
  const [status, ...more] = query.getAll('status');
  return status !== undefined && more.length === 0 && statuses.has(status) ? status : undefined;
}

/** Whether the specification says what has to follow: then another 4xx than it lists is a fault. */
export function inputOf({ operation, url, headers, type, body }: SentRequest): Exchange['input'] {
  const accept = firstValueOf(headers, 'Accept') ?? '*/*';
  // What a service makes of the origin of a script, or of another media type, is its own.
  if (
    !/json|\*\/\*/.test(accept) ||
    headers.some(([name]) => /^(?:origin|expect|content-encoding)$/i.test(name))
  )
    return 'silent';
  const query = new URL(url).searchParams;
  if (operation === 'listPets') {
    const known = [...query.keys()].every((name) => name === 'limit' || name === 'status');
    const isValid =
      (!query.has('limit') || limitOf(query) !== undefined) &&
      (!query.has('status') || statusOf(query) !== undefined);
    return known && isValid ? 'specified' : 'silent';
  }
  if (operation === 'getPet') return query.size === 0 && isIdentifier(url) ? 'specified' : 'silent';
  if (operation !== 'createPet' || query.size > 0) return 'silent';
  const request = {
    method: 'POST',
    url,
    headers: type === undefined ? [] : [['content-type', type] as [string, string]],
    body,
  };
  return sentBody({ request }).kind === 'open' ? 'silent' : 'specified';
}

/** Whether the last segment of a path is a plain integer of 64 bits. */
export function isIdentifier(url: string): boolean {
  const text = new URL(url).pathname.split('/').at(-1) ?? '';
  if (!/^-?(?:0|[1-9]\d{0,18})$/.test(text)) return false;
  return int64.safeParse(BigInt(text)).success;
}
