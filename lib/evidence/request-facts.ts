import { firstValueOf } from '../http/headers/header-list.js';
import { isInt64, petStatuses } from '../specification/body-schema.js';
import { isObject, parseJson } from '../specification/json-value.js';
import { petFields, valueText } from './animal.js';
import type { Exchange } from './exchange.js';
import type { RecordedExchange } from './recorded-exchange.js';

/** Units of UTF-16: many services allow names no longer than that. */
const longestName = 64;
/** A name that no store changes or refuses: short, no quotes, no text beyond ASCII, no two spaces. */
const usualName = /^(?=.{1,48}$)[\w-]+(?: [\w-]+)*$/;
const mostUsualCategory = 2n ** 31n - 1n;

/** The parameters of a listing, and the values that section 4.1 gives them. */
const parameters: ReadonlyMap<string, RegExp> = new Map([
  ['limit', /^(?:[1-9]\d?|100)$/],
  ['status', new RegExp(`^(?:${petStatuses.join('|')})$`)],
]);
// What a service makes of the origin of a script, of a proxy's headers, or of another media type, is its own.
const openHeader = /^(?:origin|expect|content-encoding|forwarded|x-forwarded-for|x-real-ip)$/i;

type RequestFacts = ReturnType<typeof readRequest>;
export type Fault = RequestFacts['faults'][number];
export type Unspecified = RequestFacts['unspecified'][number];
export type Unusual = RequestFacts['unusual'][number];

/** What a request is, read from the request alone: no label says who sent it or why. */
export function readRequest({ operation, request }: Pick<RecordedExchange, 'operation' | 'request'>) {
  const { method, url, headers, body, latin1 } = request;
  const [, path = '', search] = /^([^?#]*)(?:\?([^#]*))?/.exec(url) ?? [];
  // Named, so that the declarations of the package need no types of Node.
  const query: URLSearchParams = new URLSearchParams(search);
  const limit = query.get('limit');
  const petId = path.slice(path.lastIndexOf('/') + 1);
  const isListing = operation === 'listPets';
  const isCreation = operation === 'createPet';
  const form = operation === 'getPet' ? formOfPetId(petId) : undefined;
  const json = isCreation && body !== undefined ? parseJson(body) : undefined;
  const members = json?.ok && isObject(json.value) ? json.value : undefined;
  const { name: given, categoryId, status } = members ?? {};
  const name = typeof given === 'string' ? given : undefined;
  const type = firstValueOf(headers, 'Content-Type')?.trim();
  /** Whether a listing was requested with another value of a parameter than those of section 4.1. */
  const hasOther = (parameter: string): boolean =>
    isListing && query.getAll(parameter).some((value) => !parameters.get(parameter)?.test(value));

  const faults = namesOf({
    'no name': members && given === undefined,
    name: given !== undefined && name === undefined,
    'no categoryId': members && categoryId === undefined,
    categoryId: categoryId !== undefined && !isInt64(categoryId),
    status: status !== undefined && !petStatuses.some((one) => one === status),
    'not an object': isCreation && !members && (!json || json.ok || json.problem === 'syntax'),
    petId: form === 'fault',
  });
  const unspecified = namesOf({
    header: headers.some(
      ([header, value]) =>
        openHeader.test(header) || (/^accept$/i.test(header) && !/json|\*\/\*/.test(value)),
    ),
    limit: hasOther('limit'),
    'status filter': hasOther('status'),
    'further parameter': isListing
      ? [...query.keys()].some((one) => !parameters.has(one)) || new Set(query.keys()).size < query.size
      : query.size > 0,
    'petId spelling': form === 'spelling',
    'media type': json && type?.toLowerCase() !== 'application/json',
    'not UTF-8': json && latin1 && !/^\p{ASCII}*$/u.test(body ?? ''),
    nesting: json && !json.ok && json.problem === 'too-deep',
    'repeated member': members && hasRepeatedMember(body ?? ''),
    'further member': Object.keys(members ?? {}).some((member) => !petFields.some((one) => one === member)),
    'empty name': name === '',
    'long name': name && name.length > longestName,
    // A line break within a name is text like any other.
    'control character': name && /[^\P{Cc}\n]/u.test(name),
    'lone surrogate': name && /\p{Cs}/u.test(name),
    'outer space': name && name !== name.trim(),
  });
  const unusual = namesOf({
    name: name !== undefined && !usualName.test(name),
    categoryId: isInt64(categoryId) && (categoryId <= 0 || categoryId > mostUsualCategory),
  });
  // A creation without a body has no Content-Type either, and may be refused for that.
  const isBare = isCreation && body === undefined && type === undefined;
  return {
    operationName: operation ?? `${method}, which is not listed,`,
    /** What the specification refuses in it (sections 2, 4.2, 4.3 and 7). */
    faults,
    /** What the specification leaves open in it: whether it is accepted says nothing of the target. */
    unspecified,
    /** A valid value that has a requirement of its own: CREATE-13 for names, CREATE-12 for categories. */
    unusual,
    /** Whether the specification says what follows: then another 4xx than it lists is a fault. */
    isSpecified: operation !== null && unspecified.length === 0 && form !== 'fault' && !isBare,
    /** The members of the JSON object that was sent, integers digit by digit; none if the body is not one. */
    members: members ?? {},
    /** The name that was sent, even if the body is not an object, was cut off, or is a string that holds JSON. */
    nameSent: name ?? nameIn(body),
    query,
    /** The limit of a listing; undefined if there is none, and then it is 20 (section 4.1). */
    limit: limit === null ? undefined : Number(limit),
    filter: query.get('status') ?? undefined,
    /** The last step of the path, as it is spelt. */
    petId,
  };
}

function namesOf<Name extends string>(applies: Readonly<Record<Name, unknown>>): Name[] {
  return (Object.keys(applies) as Name[]).filter((name) => applies[name]);
}

function hasRepeatedMember(body: string): boolean {
  const written = body.match(/"(?:id|name|categoryId|status)"(?=\s*:)/g) ?? [];
  return new Set(written).size < written.length;
}

/** Whether a `petId` is an int64 in its usual spelling, in another spelling, or none. */
function formOfPetId(raw: string): 'int64' | 'spelling' | 'fault' {
  const [, sign = '', digits] = /^(?:%20)*([+-]?)0*(\d{1,19})(?:\.0*)?(?:%20)*$/.exec(raw) ?? [];
  if (digits === undefined || !isInt64(BigInt(digits) * (sign === '-' ? -1n : 1n))) return 'fault';
  return /^-?(?:0|[1-9]\d*)$/.test(raw) ? 'int64' : 'spelling';
}

function nameIn(body = ''): string | undefined {
  const [, text, digits] = /"name\\?"\s*:\s*(?:\\?"([^"\\]*)|(\d+))/.exec(body) ?? [];
  return text ?? digits;
}

/** A faulty body in words: `a body without "name"`, `"name" that is null`, `a body that is missing`. */
export function describeFault({ faults: [fault = 'not an object'], members, request }: Exchange): string {
  if (fault.startsWith('no ')) return `a body without \`${fault.slice(3)}\``;
  if (fault !== 'not an object') return `\`${fault}\` that is ${valueText(members[fault])}`;
  if (!request.body) return `a body that is ${request.body === undefined ? 'missing' : 'empty'}`;
  const parsed = parseJson(request.body);
  return `a body that is ${parsed.ok ? valueText(parsed.value) : 'not JSON'}`;
}
