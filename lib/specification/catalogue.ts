/**
 * The requirement catalogue as data: ids, levels, sections and wording, which nothing else repeats. The ids are a public
 * contract: an id is never reused or renumbered, a new requirement gets a new one.
 */

/** How binding a requirement is: stated by the specification, recommended by a web standard, or unspecified. */
export type Level = 'MUST' | 'SHOULD' | 'OBSERVE';

/** The classes that a run judges separately. */
export type RequirementClass = 'functional' | 'limits' | 'description';

export interface CatalogueRow {
  readonly id: string;
  readonly level: Level;
  /** The sections of the specification, or the RFC, that state the requirement. */
  readonly section: string;
  /** Anchors of the specification's outline: the clause at which a report puts the requirement, then others that it touches. */
  readonly clauses: readonly [string, ...string[]];
  readonly title: string;
  /** How it is judged, in a line. A leading ∀ marks an invariant: judged on every exchange of the run. */
  readonly judged: string;
}

// prettier-ignore
export const catalogue = [
  { id: 'AUTH-01', level: 'MUST', section: '5.3, 7', clauses: ['5.3', '7'], title: 'A request without a credential gets 401', judged: 'each operation, no Authorization header' },
  { id: 'AUTH-02', level: 'MUST', section: '5.3, 7', clauses: ['5.3', '7'], title: 'An unknown key gets 401', judged: 'each operation; a random key, and near misses of the real one (one character fewer, one more, one changed, other case)' },
  { id: 'AUTH-03', level: 'MUST', section: '5.2', clauses: ['5.2'], title: 'A credential that is not `Bearer <API_KEY>` gets 401', judged: 'the bare key; the key under `Basic` and under an invented scheme; `Bearer` alone; a word before or after the key' },
  { id: 'AUTH-04', level: 'MUST', section: '5.2', clauses: ['5.2'], title: 'A valid key is accepted by every operation', judged: 'never 401 if the real key was sent in the documented form; `inconclusive` if no operation accepts it' },
  { id: 'AUTH-05', level: 'MUST', section: '5.3', clauses: ['5.3'], title: 'A missing or invalid key gets 401 before any other error', judged: 'a bad key with an invalid body, an unknown animal, a limit out of range' },
  { id: 'AUTH-06', level: 'MUST', section: '1, 5', clauses: ['5.3', '1'], title: 'A request refused with 401 has no effect', judged: 'an unauthenticated create adds no animal (control: an animal created after it is on the same page)' },
  { id: 'AUTH-07', level: 'SHOULD', section: 'RFC 9110 15.5.2', clauses: ['5.3'], title: 'A 401 names its scheme in `WWW-Authenticate: Bearer`', judged: 'every 401 of the run' },
  { id: 'AUTH-08', level: 'SHOULD', section: 'RFC 9110 11.1', clauses: ['5.2'], title: 'The name of the scheme is case-insensitive', judged: '`bearer <API_KEY>` is accepted' },
  { id: 'LIST-01', level: 'MUST', section: '4.1', clauses: ['4.1', '2-pets'], title: '`GET /pets` answers 200 with a bare array of Pet', judged: 'with and without each parameter' },
  { id: 'LIST-02', level: 'MUST', section: '4.1, 8', clauses: ['4.1', '8-page-size'], title: '`limit=n` (1 to 100) returns at most n animals', judged: 'every listing of the run with such a limit; standard tries 1, 2, 9, 10, 50, 99 and 100 and draws more; 1 and 100 themselves are accepted' },
  { id: 'LIST-03', level: 'MUST', section: '4.1, 8', clauses: ['4.1', '8-page-size'], title: 'Without `limit`, at most 20 animals are returned', judged: 'no `limit` and `limit=20` return equally many, never more than 20, from a store that holds more (the suite adds what is missing if the budget allows)' },
  { id: 'LIST-04', level: 'SHOULD', section: '4.1', clauses: ['4.1'], title: 'A page is filled up to `limit`', judged: 'a store known to hold n matching animals, n at least 2, returns n for `limit=n`; with less to see, `inconclusive`' },
  { id: 'LIST-05', level: 'MUST', section: '4.1, 8', clauses: ['4.1', '8-page-size'], title: 'No value of `limit` returns more than 100 animals', judged: '101, 1000, 2147483648, 9223372036854775808, 0, -1, with and without `status`, from a store that holds at least 103 (standard adds what is missing; in a smaller store quick does not select this row)' },
  { id: 'LIST-06', level: 'MUST', section: '4.1', clauses: ['4.1'], title: '`status` returns only animals of that status', judged: 'each of the three values; an animal that is listed under two of them fails, also if it shows no status' },
  { id: 'LIST-07', level: 'MUST', section: '4.1', clauses: ['4.1'], title: '`limit` and `status` apply together', judged: 'drawn pairs' },
  { id: 'LIST-08', level: 'MUST', section: '4.1', clauses: ['4.1'], title: 'A created animal is listed, and listed under its own status', judged: 'retried for the configured consistency time; missing from a page that is not full: fail; missing from a full page, so that it may be on a later one: inconclusive' },
  { id: 'LIST-09', level: 'MUST', section: '2', clauses: ['2-pet', '4.1'], title: 'The identifiers in one listing are distinct', judged: '∀ listing' },
  { id: 'LIST-10', level: 'MUST', section: '2, 4.1', clauses: ['4.1', '2-pet'], title: 'A listing shows an animal as it was created', judged: 'every animal of this run, all four fields: a `status` that its creation returned and that listings leave out fails, too (§ 4.3 sends the clients of getPet to the listing)' },
  { id: 'LIST-11', level: 'OBSERVE', section: '4.1', clauses: ['4.1'], title: 'How `limit` out of range, or not an integer, is treated', judged: '0, -1, 101, `abc`, `1.5`, empty, given twice: refused (with which status), clamped, truncated, or ignored' },
  { id: 'LIST-12', level: 'OBSERVE', section: '4.1', clauses: ['4.1'], title: 'How a `status` outside the enumeration is treated', judged: '`sleeping`, `Available`, empty: refused (with which status), ignored, or an empty list' },
  { id: 'LIST-13', level: 'OBSERVE', section: '4.1', clauses: ['4.1'], title: 'Order, further pages, paging information', judged: 'the order seen; `Link` and paging headers' },
  { id: 'LIST-14', level: 'OBSERVE', section: '4.1', clauses: ['4.1'], title: 'How soon and how steadily listings show what was created', judged: 'over all exchanges of the run: delay from 201 to the first listing that shows the animal; animals once shown and missing later from a page that is not full; animals listed before they were created' },
  { id: 'CREATE-01', level: 'MUST', section: '4.2', clauses: ['4.2'], title: 'A valid NewPet gets 201 and the created Pet', judged: '`id` is there; `name`, `categoryId` and a given `status` come back as sent; equal bodies sent twice create two animals' },
  { id: 'CREATE-02', level: 'MUST', section: '2', clauses: ['2-newpet'], title: '`status` is optional', judged: 'a body without it gets 201' },
  { id: 'CREATE-03', level: 'MUST', section: '2', clauses: ['2-petstatus', '3'], title: 'Each of the three states can be given', judged: 'each value gets 201 and comes back as sent' },
  { id: 'CREATE-04', level: 'MUST', section: '2', clauses: ['2-pet'], title: 'Identifiers are unique, also under concurrent creation', judged: 'all ids of the run, those of equal bodies among them; a burst of parallel creates' },
  { id: 'CREATE-05', level: 'MUST', section: '4.2, 7', clauses: ['4.2', '7'], title: 'A body without `name` gets 400', judged: 'a body that the service accepted, without its `name`' },
  { id: 'CREATE-06', level: 'MUST', section: '4.2, 7', clauses: ['4.2', '7'], title: 'A body without `categoryId` gets 400', judged: 'a body that the service accepted, without its `categoryId`' },
  { id: 'CREATE-07', level: 'MUST', section: '2, 7', clauses: ['2-newpet', '7'], title: 'A `name` that is not a string gets 400', judged: 'number, boolean, null, array, object' },
  { id: 'CREATE-08', level: 'MUST', section: '2, 7', clauses: ['2-newpet', '7'], title: 'A `categoryId` that is not an int64 gets 400', judged: 'string (also of digits), boolean, null, array, object, 1.5, 9223372036854775808, -9223372036854775809' },
  { id: 'CREATE-09', level: 'MUST', section: '2, 7', clauses: ['2-newpet', '7'], title: 'A `status` outside the enumeration gets 400', judged: 'another word, other case, surrounding space, empty, number, null, array' },
  { id: 'CREATE-10', level: 'MUST', section: '4.2, 7', clauses: ['4.2', '7'], title: 'A body that is missing or not a JSON object gets 400', judged: 'none, empty, truncated JSON, an array, a string, a number, null' },
  { id: 'CREATE-11', level: 'MUST', section: '4.2', clauses: ['4.2'], title: 'A refused creation adds no animal', judged: 'the marker of each refused body is in no listing, right after it (control as in AUTH-06) and again at the end of the run' },
  { id: 'CREATE-12', level: 'MUST', section: '2', clauses: ['2-newpet'], title: '`categoryId` keeps every int64 exactly', judged: '9007199254740993, 9223372036854775807, -9223372036854775808, 0, drawn values, compared digit by digit in the 201, in getPet and in listings. A service that refuses arbitrary small identifiers (drawn from 1 to 2^31) checks categories, a rule the specification does not show: CREATE-12 is then judged on the values it accepts, and is `not-applicable` if none is beyond 2^53. A service that accepts them must accept every int64 above 0; a 400 for 0 or for negative values is noted, not failed' },
  { id: 'CREATE-13', level: 'MUST', section: '2', clauses: ['2-newpet'], title: '`name` keeps its text exactly', judged: "drawn Unicode text (scripts, emoji, combining marks, right-to-left, quotes, backslashes, inner newline, lengths around 64, 100, 128, 255 and 256 in characters and in bytes), no control characters, no outer space; compared in the 201, in getPet and in listings. Normalised, escaped or cut text fails; a long name refused with 400 is CREATE-15's" },
  { id: 'CREATE-14', level: 'MUST', section: '2', clauses: ['2-pet'], title: 'The service assigns `id`', judged: 'a body that brings an `id` (a new one, an existing one): refused, or created under another id, and the existing animal is untouched' },
  { id: 'CREATE-15', level: 'OBSERVE', section: '2, 4.2', clauses: ['4.2', '2-gaps'], title: 'How bodies are treated on which the specification is silent', judged: '`status` after its omission, additional properties, empty name, very long name, control characters, outer space, duplicate keys, other Content-Type, `Location`' },
  { id: 'GET-01', level: 'MUST', section: '4.3', clauses: ['4.3'], title: 'An existing animal gets 200 and that Pet', judged: 'equal to what its creation returned; asked twice, the same; the oldest, the newest and each status of this run; a 200 without a body fails' },
  { id: 'GET-02', level: 'MUST', section: '4.3, 7', clauses: ['4.3', '7'], title: 'An unknown animal gets 404', judged: "0, -1, small and large identifiers nothing has, an existing one plus 2^32, 9223372036854775807. A 200 with the identifier asked for may be somebody else's animal and proves nothing; with any other it fails" },
  { id: 'GET-03', level: 'MUST', section: '4.3', clauses: ['4.3'], title: 'A `petId` that is not an integer gets a 4xx with an Error body', judged: '`abc`, `1.5`, an existing id followed by letters, beyond int64, `constructor`, `__proto__`: never an animal, never 5xx' },
  { id: 'GET-04', level: 'MUST', section: '4.3, 9.3', clauses: ['4.3', '9.3'], title: 'The operation is served until 5 December 2030', judged: "if the run's date is before it: GET-01 can be exercised" },
  { id: 'GET-05', level: 'SHOULD', section: '4.3, 9.3', clauses: ['4.3', '9.3'], title: 'From 5 December 2030 on it is removed', judged: 'on or after that date: 404, 405 or 410' },
  { id: 'GET-06', level: 'OBSERVE', section: '4.3', clauses: ['4.3'], title: 'How leniently `petId` is read', judged: '`12.0`, `12%20`, `+12`, `012` for an existing 12: found, or refused and how' },
  { id: 'DEP-01', level: 'SHOULD', section: 'RFC 9745, RFC 8594', clauses: ['4.3'], title: '`getPet` announces its deprecation', judged: '`Deprecation` (a structured date) and `Sunset` on its responses, `Sunset` not earlier than `Deprecation`' },
  { id: 'DEP-02', level: 'MUST', section: '4.3, 9.3', clauses: ['4.3', '9.3'], title: 'An announced removal date is the specified one', judged: 'a `Sunset` on `getPet` says 5 December 2030, as an HTTP date; no `Sunset`: `not-applicable`' },
  { id: 'DEP-03', level: 'MUST', section: '4.1, 4.2', clauses: ['4.1', '4.2'], title: 'Only `getPet` is deprecated', judged: '∀ responses of listPets and createPet: no `Deprecation`, no `Sunset`' },
  { id: 'PET-01', level: 'MUST', section: '2', clauses: ['2-pet'], title: 'A Pet has `id`, `name` and `categoryId` of the specified types', judged: '∀ animal in any response: `name` string, `id` and `categoryId` int64' },
  { id: 'PET-02', level: 'MUST', section: '2', clauses: ['2-petstatus', '3'], title: 'The `status` of a Pet, if present, is a PetStatus', judged: '∀ animal' },
  { id: 'ERR-01', level: 'MUST', section: '2, 7', clauses: ['7', '2-error'], title: 'Every 400, 401 and 404 has an Error body', judged: '∀: `code` string, `message` string, `status` integer' },
  { id: 'ERR-02', level: 'MUST', section: '2', clauses: ['2-error'], title: 'The `status` in an Error is the HTTP status of the response', judged: '∀' },
  { id: 'ERR-03', level: 'SHOULD', section: '2', clauses: ['2-error'], title: '`code` and `message` are usable', judged: '∀: neither is empty; the same condition has the same `code`; different statuses have different codes' },
  { id: 'ERR-04', level: 'SHOULD', section: '', clauses: ['7'], title: 'An error discloses nothing internal', judged: '∀: no stack trace, file path, query text or credential' },
  { id: 'ERR-05', level: 'OBSERVE', section: '7', clauses: ['7'], title: 'The values of `code`, and the body of a 429', judged: 'the table of those seen' },
  { id: 'MEDIA-01', level: 'MUST', section: '4', clauses: ['4'], title: 'Bodies are `application/json`', judged: '∀ response with a body: Content-Type (parameters allowed), and it parses as JSON in UTF-8, text beyond ASCII included; not the body of a 429, which §7 leaves open' },
  { id: 'ROBUST-01', level: 'MUST', section: '4', clauses: ['4'], title: 'Every request gets a documented answer', judged: '∀: a status that the operation lists, or 429, or, for input on which the specification is silent, another 4xx; no 5xx, no broken or missing response, at up to ten requests in flight' },
  { id: 'ROBUST-02', level: 'SHOULD', section: '4, RFC 9110 15.5.6', clauses: ['4'], title: 'Methods that are not listed are refused and change nothing', judged: 'PUT, PATCH, DELETE on both paths, POST on an animal: 404, 405 or 501; the animal is as before' },
  { id: 'RATE-01', level: 'MUST', section: '8', clauses: ['8-headers'], title: 'Every response carries `X-RateLimit-Limit`', judged: '∀, errors and 429 included: once, a positive integer' },
  { id: 'RATE-02', level: 'MUST', section: '8', clauses: ['8-headers'], title: 'Every response carries `X-RateLimit-Remaining`', judged: '∀: once, an integer from 0 to Limit' },
  { id: 'RATE-03', level: 'MUST', section: '8', clauses: ['8-headers'], title: 'Every response carries `X-RateLimit-Reset`, a Unix timestamp', judged: "∀: once, in seconds; not past and not further ahead than the longest window, by the `Date` of the same response (a second's grace), otherwise within the measured clock difference. Milliseconds and seconds-to-go are named as such" },
  { id: 'RATE-04', level: 'MUST', section: '8', clauses: ['8-headers'], title: "`X-RateLimit-Limit` is the limit of the caller's plan", judged: "with the valid key: the plan's figure for the minute or the day" },
  { id: 'RATE-05', level: 'MUST', section: '8', clauses: ['8-headers'], title: '`X-RateLimit-Remaining` falls with use', judged: 'over a quick sequence in one window it falls by what was sent; what a refill gives back is allowed for, and named' },
  { id: 'LIMIT-01', level: 'MUST', section: '8', clauses: ['8-plans'], title: "The plan's requests per minute are admitted", judged: "one window, from fresh: no 429 before the limit; and none for a client that stays below the limit across a Reset, if the run's own traffic shows it (a window that every request renews fails)" },
  { id: 'LIMIT-02', level: 'MUST', section: '8', clauses: ['8-exceeded'], title: 'A request over the limit gets 429', judged: 'the same window: none of the next requests is admitted' },
  { id: 'LIMIT-03', level: 'MUST', section: '8', clauses: ['8-plans'], title: 'The limit holds under concurrency', judged: 'a burst over many connections, of listings and of creations: admitted in one window = the figure' },
  { id: 'LIMIT-04', level: 'MUST', section: '8', clauses: ['8-exceeded'], title: 'A 429 carries a usable `Retry-After`', judged: 'delta-seconds or an HTTP date; not zero, not past, not longer than the exhausted window lasts (a constant 60 for the minute is fine)' },
  { id: 'LIMIT-05', level: 'MUST', section: '8', clauses: ['8-exceeded'], title: 'After `Retry-After` the client is served', judged: 'the first request after it gets no 429, for every 429 of the run that was waited out' },
  { id: 'LIMIT-06', level: 'SHOULD', section: '8', clauses: ['8-exceeded'], title: '`Retry-After` agrees with Reset', judged: 'within two seconds' },
  { id: 'LIMIT-07', level: 'MUST', section: '8', clauses: ['8-exceeded'], title: 'A request refused with 429 has no effect', judged: 'creates over the limit, one and several at once, add no animal' },
  { id: 'LIMIT-08', level: 'MUST', section: '8', clauses: ['8-plans'], title: 'Limits are counted per caller', judged: 'one key exhausted, another is served; needs two keys' },
  { id: 'LIMIT-09', level: 'MUST', section: '8', clauses: ['8-plans'], title: 'All operations share one limit, and each request counts once', judged: 'a window used by all three operations in turn admits the figure, no more and no fewer' },
  { id: 'LIMIT-10', level: 'MUST', section: '8', clauses: ['8-plans'], title: "The plan's requests per day are admitted, and no more", judged: 'hours of paced sending; opt-in; survives interruption and resumes' },
  { id: 'LIMIT-11', level: 'OBSERVE', section: '8', clauses: ['8-plans'], title: 'Which algorithm limits', judged: 'fixed window (clock-aligned or from the first request), sliding log, sliding counter, token bucket: what explains the evidence, and how surely' },
  { id: 'LIMIT-12', level: 'OBSERVE', section: '8', clauses: ['8-exceeded'], title: 'Whether a client that ignores 429 is banned', judged: 'opt-in, on a key given for that' },
  { id: 'LIMIT-13', level: 'OBSERVE', section: '8', clauses: ['8-plans'], title: 'What counts against the limit', judged: 'whether 400, 401, 404 and 429 use it up' },
  { id: 'LIMIT-14', level: 'MUST', section: '8', clauses: ['8-headers'], title: 'The limit resets at Reset', judged: "a request just after the announced time (a second's grace for rounding) finds the whole limit restored, as far as the algorithm restores it at once; if Reset tells the day's end, `not-applicable` in a run of minutes" },
  { id: 'LIMIT-15', level: 'MUST', section: '8', clauses: ['8-plans'], title: 'A key has one limit, wherever its requests come from', judged: 'the same window used from two or more vantage points (source addresses or hosts): admitted together = the figure; `not-tested` with one vantage point' },
  { id: 'VERSION-01', level: 'MUST', section: '1, 9.1', clauses: ['1', '9.1'], title: 'The base address ends with `/v1`', judged: 'the configured address; a run against an address without `/v1` whose `/v1` answers says so first of all' },
  { id: 'DESC-01', level: 'MUST', section: '9.2', clauses: ['9.2'], title: 'The interface description has version 1.0.0', judged: "if the target's OpenAPI document is given (file or address); otherwise `not-tested`, as for all DESC" },
  { id: 'DESC-02', level: 'MUST', section: '4, 9.3', clauses: ['4', '9.3'], title: 'It lists the three operations, and marks getPet alone as deprecated', judged: 'names, methods, paths, `deprecated`' },
  { id: 'DESC-03', level: 'MUST', section: '2, 4', clauses: ['4', '2'], title: 'Its parameters, bodies and schemas are those specified', judged: 'bounds, default, enumerations, formats, required fields' },
  { id: 'DESC-04', level: 'MUST', section: '5.1', clauses: ['5.1'], title: 'One HTTP bearer scheme secures the whole service', judged: 'the security schemes, and what the document and each operation require of them' },
  { id: 'DESC-05', level: 'MUST', section: '4, 7', clauses: ['4', '7'], title: 'Its documented responses are those specified', judged: 'for each operation' },
  { id: 'DESC-06', level: 'SHOULD', section: '9.2', clauses: ['9.2'], title: 'The service does what its own description says', judged: "every response of the run, judged against the target's own document: an undeclared status or media type, a body that its schema refuses" },
] as const satisfies readonly CatalogueRow[];

export type RequirementId = (typeof catalogue)[number]['id'];

/** A row whose id is known to be in the catalogue. */
type Requirement = CatalogueRow & { readonly id: RequirementId };

export const requirementIds: readonly RequirementId[] = catalogue.map((row) => row.id);

const rowsById: ReadonlyMap<string, Requirement> = new Map(catalogue.map((row) => [row.id, row]));

export function isRequirementId(text: string): text is RequirementId {
  return rowsById.has(text);
}

const ownRows = new Map<string, CatalogueRow>();

/** Declares a requirement of the user's own: it has a row as those of the catalogue have, and no place in any class. */
export function addOwnRow(row: CatalogueRow): RequirementId {
  ownRows.set(row.id, row);
  // Whatever is done with a requirement is done with it, too.
  return row.id as RequirementId;
}

export function isOwnRequirement(id: string): boolean {
  return ownRows.has(id);
}

/** The row of a requirement: that of the catalogue, or the user's own. */
export function requirementRow(id: RequirementId): CatalogueRow {
  const row = rowsById.get(id) ?? ownRows.get(id);
  if (!row) throw new Error(`no requirement ${id} in the catalogue`);
  return row;
}

/** How a requirement is judged, with the ∀ of the catalogue in words. */
export function judgedText({ judged }: Pick<CatalogueRow, 'judged'>): string {
  return judged
    .replace(/^∀(?= \w+s\b)/, 'all')
    .replace(/^∀(?= \w)/, 'every')
    .replace(/^∀/, 'every exchange');
}

/** LIMIT rows are judged under load, DESC rows on a document; every other row is functional. */
export function classOf(id: string): RequirementClass {
  if (id.startsWith('LIMIT-')) return 'limits';
  if (id.startsWith('DESC-')) return 'description';
  return 'functional';
}

/** Section 9.3: the first moment of the day on which `getPet` is removed, in UTC. */
export const removalDate = Date.UTC(2030, 11, 5);
