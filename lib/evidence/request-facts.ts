import type { OperationName } from './recorded-exchange.js';
import { firstValueOf } from '../http/headers/header-list.js';
import { isInt64, petStatuses } from '../specification/body-schema.js';
import { parseJson } from '../specification/json-value.js';

/** What the specification refuses in a request (sections 2, 4.2, 4.3 and 7). */
export type Fault =
  'no name' | 'no categoryId' | 'name' | 'categoryId' | 'status' | 'not an object' | 'petId';

/** What the specification leaves open in a request: whether it is accepted says nothing of the target. */
export type Unspecified =
  | 'header'
  | 'media type'
  | 'not UTF-8'
  | 'nesting'
  | 'repeated member'
  | 'further member'
  | 'empty name'
  | 'long name'
  | 'control character'
  | 'lone surrogate'
  | 'outer space'
  | 'limit'
  | 'status filter'
  | 'further parameter'
  | 'petId spelling';

/** A valid value that has a requirement of its own: CREATE-13 for names, CREATE-12 for categories. */
export type Unusual = 'name' | 'categoryId';

/** What a request is, read from the request alone: no label says who sent it or why. */
export interface RequestFacts {
  readonly faults: readonly Fault[];
  readonly unspecified: readonly Unspecified[];
  readonly unusual: readonly Unusual[];
  /** The members of the JSON object that was sent, integers digit by digit; none if the body is not one. */
  readonly members: Readonly<Record<string, unknown>>;
}

/** What is read of a request. `url` is absolute. */
export interface SentRequest {
  readonly operation: OperationName | null;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string | undefined;
  readonly latin1?: boolean | undefined;
}

type Found = readonly [applies: boolean, what: Unspecified];

const specifiedMembers: ReadonlySet<string> = new Set(['name', 'categoryId', 'status']);
const parameters: ReadonlyMap<string, readonly [form: RegExp, what: Unspecified]> = new Map([
  ['limit', [/^(?:[1-9]\d?|100)$/, 'limit']],
  ['status', [new RegExp(`^(?:${petStatuses.join('|')})$`), 'status filter']],
]);
/** Units of UTF-16: many services allow names no longer than that. */
const longestName = 64;
/** A name that no store changes or refuses: short, no quotes, no text beyond ASCII, no two spaces. */
const usualName = /^(?=.{1,48}$)[\w-]+(?: [\w-]+)*$/;
const mostUsualCategory = 2n ** 31n - 1n;

/** Whether the specification says what follows a request: then another 4xx than it lists is a fault. */
export function isSpecified(request: SentRequest, facts: RequestFacts = readRequest(request)): boolean {
  const { faults, unspecified } = facts;
  // A creation without a body has no Content-Type either, and may be refused for that.
  const isBare =
    request.operation === 'createPet' &&
    request.body === undefined &&
    firstValueOf(request.headers, 'Content-Type') === undefined;
  return unspecified.length === 0 && !faults.includes('petId') && !isBare;
}

export function readRequest(request: SentRequest): RequestFacts {
  const { operation, url, headers } = request;
  const { pathname, searchParams } = new URL(url);
  const accept = firstValueOf(headers, 'Accept') ?? '*/*';
  // What a service makes of the origin of a script, or of another media type, is its own.
  const isPlain =
    /json|\*\/\*/.test(accept) &&
    !headers.some(([name]) => /^(?:origin|expect|content-encoding)$/i.test(name));
  const ofHeaders: readonly Unspecified[] = isPlain ? [] : ['header'];
  const nothing: RequestFacts = { faults: [], unspecified: ofHeaders, unusual: [], members: {} };
  if (operation === 'listPets')
    return { ...nothing, unspecified: [...ofHeaders, ...unspecifiedQuery([...searchParams])] };
  const further: readonly Unspecified[] = searchParams.size > 0 ? ['further parameter'] : [];
  const unspecified = [...ofHeaders, ...further];
  if (operation === 'getPet') {
    const form = formOfPetId(pathname.split('/').at(-1) ?? '');
    return {
      ...nothing,
      faults: form === 'fault' ? ['petId'] : [],
      unspecified: [...unspecified, ...(form === 'spelling' ? (['petId spelling'] as const) : [])],
    };
  }
  if (operation !== 'createPet') return { ...nothing, unspecified };
  const body = readBody(request);
  return { ...body, unspecified: [...unspecified, ...body.unspecified] };
}

function unspecifiedQuery(query: ReadonlyArray<readonly [name: string, value: string]>): Unspecified[] {
  const names = new Set(query.map(([name]) => name));
  const found = query.flatMap(([name, value]): Unspecified[] => {
    const [form, what] = parameters.get(name) ?? [];
    if (!form || !what) return ['further parameter'];
    return form.test(value) ? [] : [what];
  });
  return names.size === query.length ? found : [...found, 'further parameter'];
}

/** Whether a `petId` is an int64 in its usual spelling, in another spelling, or none. */
function formOfPetId(raw: string): 'int64' | 'spelling' | 'fault' {
  const [, sign = '', digits] = /^(?:%20)*([+-]?)0*(\d{1,19})(?:\.0*)?(?:%20)*$/.exec(raw) ?? [];
  if (digits === undefined) return 'fault';
  const value = BigInt(digits) * (sign === '-' ? -1n : 1n);
  if (!isInt64(value)) return 'fault';
  return /^-?(?:0|[1-9]\d*)$/.test(raw) ? 'int64' : 'spelling';
}

function readBody({ headers, body, latin1 }: SentRequest): RequestFacts {
  // Without a body there is no Content-Type either.
  if (body === undefined) return { faults: ['not an object'], unspecified: [], unusual: [], members: {} };
  const isJson = /^application\/json$/i.test(firstValueOf(headers, 'Content-Type')?.trim() ?? '');
  const isAscii = /^\p{ASCII}*$/u.test(body);
  const parsed = parseJson(body);
  const value = parsed.ok ? parsed.value : undefined;
  const members = isMembers(value) ? value : undefined;
  const found: Found[] = [
    [!isJson, 'media type'],
    [latin1 === true && !isAscii, 'not UTF-8'],
    [!parsed.ok && parsed.problem === 'too-deep', 'nesting'],
    ...(members ? unspecifiedMembers(members, body) : []),
  ];
  return {
    faults: members ? faultsOf(members) : parsed.ok || parsed.problem === 'syntax' ? ['not an object'] : [],
    unspecified: found.flatMap(([applies, what]) => (applies ? [what] : [])),
    unusual: members ? unusualIn(members) : [],
    members: members ?? {},
  };
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function faultsOf({ name, categoryId, status }: RequestFacts['members']): Fault[] {
  const found: ReadonlyArray<readonly [boolean, Fault]> = [
    [name === undefined, 'no name'],
    [name !== undefined && typeof name !== 'string', 'name'],
    [categoryId === undefined, 'no categoryId'],
    [categoryId !== undefined && !isInt64(categoryId), 'categoryId'],
    [status !== undefined && !petStatuses.some((one) => one === status), 'status'],
  ];
  return found.flatMap(([applies, what]) => (applies ? [what] : []));
}

function unspecifiedMembers(members: RequestFacts['members'], body: string): Found[] {
  const name = typeof members.name === 'string' ? members.name : undefined;
  const written = body.match(/"(?:id|name|categoryId|status)"\s*:/g) ?? [];
  return [
    [new Set(written.map((one) => one.replace(/\s*:$/, ''))).size < written.length, 'repeated member'],
    [Object.keys(members).some((member) => !specifiedMembers.has(member)), 'further member'],
    [name === '', 'empty name'],
    [name !== undefined && name.length > longestName, 'long name'],
    // A line break within a name is text like any other.
    [name !== undefined && /[^\P{Cc}\n]/u.test(name), 'control character'],
    [name !== undefined && /\p{Cs}/u.test(name), 'lone surrogate'],
    [name !== undefined && name !== name.trim(), 'outer space'],
  ];
}

function unusualIn({ name, categoryId }: RequestFacts['members']): Unusual[] {
  const isUsual = !isInt64(categoryId) || (categoryId > 0 && categoryId <= mostUsualCategory);
  return [
    ...(typeof name === 'string' && !usualName.test(name) ? (['name'] as const) : []),
    ...(isUsual ? [] : (['categoryId'] as const)),
  ];
}

/** The name in a request body, even if the body was cut off, or is a string that holds JSON. */
export function nameSent(body: string | undefined): string | undefined {
  if (body === undefined) return undefined;
  const parsed = parseJson(body);
  if (!parsed.ok || typeof parsed.value === 'string') return /"name\\?"\s*:\s*\\?"([^"\\]*)/.exec(body)?.[1];
  const value: unknown = Array.isArray(parsed.value) ? parsed.value[0] : parsed.value;
  const name = typeof value === 'object' && value !== null && 'name' in value ? value.name : undefined;
  return typeof name === 'string' || typeof name === 'number' ? String(name) : undefined;
}
