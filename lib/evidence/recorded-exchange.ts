import { z } from 'zod';

/** One request and what came of it, as a line of `exchanges.jsonl` holds it, redacted. Judgements read nothing else. */

/** Names and values. A tuple of zod's for each takes most of the time that a file takes to read. */
const headerList = z.custom<Array<[string, string]>>(
  (value) =>
    Array.isArray(value) &&
    value.every(
      (one) => Array.isArray(one) && one.length === 2 && one.every((text) => typeof text === 'string'),
    ),
  'Invalid list of headers',
);

export const operationNames = ['listPets', 'createPet', 'getPet'] as const;
export type OperationName = (typeof operationNames)[number];

export const failureKinds = [
  'timeout',
  'refused',
  'unresolved',
  'unreachable',
  'reset',
  'closed',
  'tls',
  'not-http',
  'too-large',
  'aborted',
  'exhausted',
  'other',
] as const;
export type FailureKind = (typeof failureKinds)[number];

/** Whether no connection was opened, so that nothing of the request was sent. */
export function isNoConnection(kind: FailureKind): boolean {
  return ['refused', 'unresolved', 'unreachable', 'tls'].includes(kind);
}

export const exchangeSchema = z.object({
  /** Unique in its run, in the order of sending: `e1`, `e2`, … */
  id: z.string(),
  /** The catalogue id of the requirement that asked, or the name of a shared preparation (`survey`, `stock`). */
  purpose: z.string(),
  /** `null` if the specification does not list the method and path (only ROBUST-02 sends such requests). */
  operation: z.enum(operationNames).nullable(),
  /**
   * `valid`: the real key in the documented form. `equivalent`: the real key in a form that a standard makes equal to it
   * (`bearer`). `missing`, `malformed` (another form), `unknown` (another key) must be refused.
   */
  credential: z.enum(['valid', 'equivalent', 'missing', 'malformed', 'unknown', 'other']),
  /** What was sent in the place of the valid key, in words. */
  credentialText: z.string().optional(),
  /** The environment variable that holds the key that was sent; absent if no key, or one that nobody has, was sent. */
  caller: z.string().optional(),
  /** The part of the run that sent it. */
  phase: z.string().optional(),
  /** ISO 8601 with microseconds, the suite's own monotonic clock. */
  sentAt: z.string(),
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: headerList,
    /** The body as text; absent if none was sent. */
    body: z.string().optional(),
    /** The body was sent in Latin-1, one byte for each character. */
    latin1: z.boolean().optional(),
    /** The file with the CA certificate that was trusted beside the well-known ones. */
    ca: z.string().optional(),
    /** The files with the client's own certificate and its key. */
    cert: z.tuple([z.string(), z.string()]).optional(),
    /** The vantage point: the source address that the connection was bound to, if one was chosen (`--local-address`). */
    localAddress: z.string().optional(),
  }),
  response: z
    .object({
      status: z.int(),
      /** Name as the server spelt it, in order, repeated fields apart. */
      headers: headerList,
      body: z.object({
        /** The body as text; what is not UTF-8 stands in `base64` instead. */
        text: z.string().optional(),
        base64: z.string().optional(),
        /** Bytes received, before anything was cut off. */
        bytes: z.int(),
        /** Only the beginning is kept: the rest was longer than the record holds. */
        truncated: z.boolean().optional(),
      }),
    })
    .optional(),
  /** Why there is no (whole) response. */
  failure: z.object({ kind: z.enum(failureKinds), message: z.string() }).optional(),
  /** Milliseconds, rounded to microseconds. `wait` was spent in the pace before sending, in a load after the planned moment; `firstByte` and `total` count from sending. */
  timing: z.object({ wait: z.number(), firstByte: z.number().optional(), total: z.number() }),
  /** The connection that the request went over: `c1`, `c2`, … Absent if none was opened. */
  connection: z.string().optional(),
  /** The exchange that this one repeats, after a broken connection, a gateway's 502 to 504 or an unasked 429. */
  repeats: z.string().optional(),
  /** In `exchanges.jsonl`: SHA-256 of the line before this one, in hexadecimal. */
  previous: z.string().optional(),
});

/** The phase of requests that autocannon and the ledger have counted otherwise: nothing is judged by them. */
export const uncounted = 'uncounted';

export type RecordedExchange = z.infer<typeof exchangeSchema>;
export type CredentialKind = RecordedExchange['credential'];
export type ExchangeResponse = NonNullable<RecordedExchange['response']>;

/** Statuses of a gateway that could not get a response from the target (RFC 9110 15.6.3 to 15.6.5). */
export const gatewayStatuses: ReadonlySet<number> = new Set([502, 503, 504]);
