import type { RecordedExchange } from './recorded-exchange.js';
import { firstValueOf } from '../http/headers/header-list.js';
import { valueText } from './animal.js';
import { isInt64, petStatuses } from '../specification/body-schema.js';
import { parseJson, type ParsedJson } from '../specification/json-value.js';

/** What a request is, read from the request alone: no label says who sent it or why. */
export interface RequestFacts {
  readonly faults: readonly Fault[];
  readonly unspecified: readonly Unspecified[];
  readonly unusual: readonly Unusual[];
  /** Whether the specification says what follows: then another 4xx than it lists is a fault. */
  readonly isSpecified: boolean;
  /** The members of the JSON object that was sent, integers digit by digit; none if the body is not one. */
  readonly members: Readonly<Record<string, unknown>>;
  /** The name that was sent, even if the body is not an object, was cut off, or is a string that holds JSON. */
  readonly nameSent: string | undefined;
  readonly query: URLSearchParams;
  /** The last step of the path, as it is spelt. */
  readonly petId: string;
}

/** Units of UTF-16: many services allow names no longer than that. */
const longestName = 64;
/** A name that no store changes or refuses: short, no quotes, no text beyond ASCII, no two spaces. */
const usualName = /^(?=.{1,48}$)[\w-]+(?: [\w-]+)*$/;
const mostUsualCategory = 2n ** 31n - 1n;

const namesOfMembers: ReadonlySet<string> = new Set(['name', 'categoryId', 'status']);
const forms: ReadonlyMap<string, RegExp> = new Map([
  ['limit', /^(?:[1-9]\d?|100)$/],
  ['status', new RegExp(`^(?:${petStatuses.join('|')})$`)],
]);

/** A request taken apart. */
type Parts = RecordedExchange['request'] &
  Pick<RecordedExchange, 'operation'> & {
    readonly query: URLSearchParams;
    readonly petId: string;
    /** Of `getPet`. */
    readonly idForm?: 'int64' | 'spelling' | 'fault' | undefined;
    /** Of a creation with a body. */
    readonly json?: ParsedJson | undefined;
    /** Of a creation whose body is an object. */
    readonly members?: RequestFacts['members'];
    readonly name?: string | undefined;
  };
type Table = Readonly<Record<string, (parts: Parts) => boolean | undefined>>;

/** What the specification refuses in a request (sections 2, 4.2, 4.3 and 7). */
const faults = {
  'no name': ({ members }) => members && members.name === undefined,
  name: ({ members }) => members && !['undefined', 'string'].includes(typeof members.name),
  'no categoryId': ({ members }) => members && members.categoryId === undefined,
  categoryId: ({ members }) => members?.categoryId !== undefined && !isInt64(members.categoryId),
  status: ({ members }) =>
    members?.status !== undefined && !petStatuses.some((status) => status === members.status),
  'not an object': ({ operation, json, members }) =>
    operation === 'createPet' && !members && (!json || json.ok || json.problem === 'syntax'),
  petId: ({ idForm }) => idForm === 'fault',
} satisfies Table;
export type Fault = keyof typeof faults;

/** What the specification leaves open in a request: whether it is accepted says nothing of the target. */
const unspecified = {
  // What a service makes of the origin of a script, of a proxy's headers, or of another media type, is its own.
  header: ({ headers }) =>
    headers.some(
      ([name, value]) =>
        /^(?:origin|expect|content-encoding|forwarded|x-forwarded-for|x-real-ip)$/i.test(name) ||
        (/^accept$/i.test(name) && !/json|\*\/\*/.test(value)),
    ),
  limit: (parts) => hasOther(parts, 'limit'),
  'status filter': (parts) => hasOther(parts, 'status'),
  'further parameter': ({ operation, query }) =>
    operation === 'listPets'
      ? [...query.keys()].some((name) => !forms.has(name)) || new Set(query.keys()).size < query.size
      : query.size > 0,
  'petId spelling': ({ idForm }) => idForm === 'spelling',
  'media type': ({ json, headers }) =>
    json && !/^application\/json$/i.test(firstValueOf(headers, 'Content-Type')?.trim() ?? ''),
  'not UTF-8': ({ json, body = '', latin1 }) => json && latin1 && !/^\p{ASCII}*$/u.test(body),
  nesting: ({ json }) => json && !json.ok && json.problem === 'too-deep',
  'repeated member': ({ members, body = '' }) => members && hasRepeatedMember(body),
  'further member': ({ members = {} }) => Object.keys(members).some((member) => !namesOfMembers.has(member)),
  'empty name': ({ name }) => name === '',
  'long name': ({ name = '' }) => name.length > longestName,
  // A line break within a name is text like any other.
  'control character': ({ name = '' }) => /[^\P{Cc}\n]/u.test(name),
  'lone surrogate': ({ name = '' }) => /\p{Cs}/u.test(name),
  'outer space': ({ name = '' }) => name !== name.trim(),
} satisfies Table;
export type Unspecified = keyof typeof unspecified;

/** A valid value that has a requirement of its own: CREATE-13 for names, CREATE-12 for categories. */
const unusual = {
  name: ({ name }) => name !== undefined && !usualName.test(name),
  categoryId: ({ members: { categoryId } = {} }) =>
    isInt64(categoryId) && (categoryId <= 0 || categoryId > mostUsualCategory),
} satisfies Table;
export type Unusual = keyof typeof unusual;

export function readRequest(line: Pick<RecordedExchange, 'operation' | 'request'>): RequestFacts {
  const parts = partsOf(line);
  const { operation, headers, body, members = {}, query, petId } = parts;
  const [faulty, open] = [inFaults(parts), inUnspecified(parts)];
  // A creation without a body has no Content-Type either, and may be refused for that.
  const isBare =
    operation === 'createPet' && body === undefined && firstValueOf(headers, 'Content-Type') === undefined;
  return {
    faults: faulty,
    unspecified: open,
    unusual: inUnusual(parts),
    isSpecified: operation !== null && open.length === 0 && !faulty.includes('petId') && !isBare,
    members,
    nameSent: parts.name ?? nameIn(body),
    query,
    petId,
  };
}

/** Which names of a table apply to a request. */
function namesIn<Name extends string>(table: { readonly [One in Name]: Table[string] }): (
  parts: Parts,
) => Name[] {
  const tests = Object.entries<Table[string]>(table) as Array<[Name, Table[string]]>;
  return (parts) => tests.filter(([, applies]) => applies(parts) === true).map(([name]) => name);
}
const [inFaults, inUnspecified, inUnusual] = [namesIn(faults), namesIn(unspecified), namesIn(unusual)];

function partsOf({ operation, request }: Parameters<typeof readRequest>[0]): Parts {
  const { url, body } = request;
  const [, path = '', query] = /^([^?#]*)(?:\?([^#]*))?/.exec(url) ?? [];
  const petId = path.slice(path.lastIndexOf('/') + 1);
  const parts = { ...request, operation, query: new URLSearchParams(query), petId };
  if (operation === 'getPet') return { ...parts, idForm: formOfPetId(petId) };
  if (operation !== 'createPet' || body === undefined) return parts;
  const json = parseJson(body);
  const value = json.ok ? json.value : undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { ...parts, json };
  const members = value as RequestFacts['members'];
  return { ...parts, json, members, name: typeof members.name === 'string' ? members.name : undefined };
}

/** Whether a listing was requested with another value of a parameter than those of section 4.1. */
function hasOther({ operation, query }: Parts, parameter: string): boolean {
  const form = forms.get(parameter);
  return operation === 'listPets' && query.getAll(parameter).some((value) => !form?.test(value));
}

function hasRepeatedMember(body: string): boolean {
  const written = body.match(/"(?:id|name|categoryId|status)"(?=\s*:)/g) ?? [];
  return new Set(written).size < written.length;
}

/** Whether a `petId` is an int64 in its usual spelling, in another spelling, or none. */
function formOfPetId(raw: string): Parts['idForm'] {
  const [, sign = '', digits] = /^(?:%20)*([+-]?)0*(\d{1,19})(?:\.0*)?(?:%20)*$/.exec(raw) ?? [];
  if (digits === undefined || !isInt64(BigInt(digits) * (sign === '-' ? -1n : 1n))) return 'fault';
  return /^-?(?:0|[1-9]\d*)$/.test(raw) ? 'int64' : 'spelling';
}

function nameIn(body: string | undefined): string | undefined {
  const [, text, digits] = /"name\\?"\s*:\s*(?:\\?"([^"\\]*)|(\d+))/.exec(body ?? '') ?? [];
  return text ?? digits;
}

/** A faulty body in words: `a body without "name"`, `"name" that is null`. */
export function describeFault({
  faults: [fault = 'not an object'],
  members,
  request,
}: Pick<RequestFacts, 'faults' | 'members'> & Pick<RecordedExchange, 'request'>): string {
  if (fault === 'not an object') return `a body that is ${kindOfBody(request.body)}`;
  return fault.startsWith('no ')
    ? `a body without \`${fault.slice(3)}\``
    : `\`${fault}\` that is ${valueText(members[fault])}`;
}

function kindOfBody(body: string | undefined): string {
  if (body === undefined) return 'missing';
  if (body === '') return 'empty';
  const parsed = parseJson(body);
  if (!parsed.ok) return 'not JSON';
  const isAround = Array.isArray(parsed.value) && parsed.value.length > 0;
  return isAround ? 'an array around an object' : valueText(parsed.value);
}
