import type { OperationName } from '../http/exchange/exchange.js';
import { firstValueOf } from '../http/headers/header-list.js';
import { int64, petStatuses } from '../specification/body-schema.js';
import { parseJson } from '../specification/json-value.js';

interface SentRequest {
  readonly operation: OperationName | null;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | undefined;
}

/** A name that every service takes. */
const plainName = /^(?!\s)\P{Cc}{1,64}(?<!\s)$/u;
const members: ReadonlySet<string> = new Set(['name', 'categoryId', 'status']);
const parameters: ReadonlyMap<string, RegExp> = new Map([
  ['limit', /^(?:[1-9]\d?|100)$/],
  ['status', new RegExp(`^(?:${petStatuses.join('|')})$`)],
]);

/** Whether the specification says what follows a request that others sent: then another 4xx than it lists is a fault. */
export function isSpecified({ operation, url, headers, body }: SentRequest): boolean {
  // What a service makes of the origin of a script, or of another media type, is its own.
  const accept = firstValueOf(headers, 'Accept') ?? '*/*';
  const isPlain = !headers.some(([name]) => /^(?:origin|expect|content-encoding)$/i.test(name));
  if (!isPlain || !/json|\*\/\*/.test(accept)) return false;
  const { pathname, searchParams } = new URL(url);
  const query = [...searchParams];
  if (operation === 'listPets')
    return (
      query.every(([name, value]) => parameters.get(name)?.test(value)) &&
      new Set(searchParams.keys()).size === query.length
    );
  if (query.length > 0) return false;
  if (operation === 'getPet') {
    const id = pathname.split('/').at(-1) ?? '';
    return /^-?(?:0|[1-9]\d{0,18})$/.test(id) && int64.safeParse(BigInt(id)).success;
  }
  const isJson = /^application\/json\b/i.test(firstValueOf(headers, 'Content-Type') ?? '');
  return operation === 'createPet' && isJson && body !== undefined && isSpecifiedBody(body);
}

/** A body is not specified if it has more than a new animal has, a name that services may limit, or too much depth. */
function isSpecifiedBody(body: string): boolean {
  const parsed = parseJson(body);
  if (!parsed.ok) return parsed.problem === 'syntax';
  const { value } = parsed;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return true;
  const name = 'name' in value ? value.name : undefined;
  return (
    Object.keys(value).every((member) => members.has(member)) &&
    (typeof name !== 'string' || plainName.test(name))
  );
}
