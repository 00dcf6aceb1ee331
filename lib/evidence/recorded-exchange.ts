import { z } from 'zod';
import type { HeaderList } from '../http/headers/header-list.js';

/** One request and what came of it, as a line of `exchanges.jsonl` holds it, redacted. Judgements read nothing else. */

/** Names and values. A tuple of zod's for each takes most of the time that a file takes to read. */
const headerList = z.custom<HeaderList>(
  (value) =>
    Array.isArray(value) &&
    value.every(
      (one) => Array.isArray(one) && one.length === 2 && one.every((text) => typeof text === 'string'),
    ),
  'Invalid list of headers',
);

export const operationNames = ['listPets', 'createPet', 'getPet'] as const;
export type OperationName = (typeof operationNames)[number];

/** Those by which no connection was opened, so that nothing of the request was sent. */
const withoutConnection = ['refused', 'unresolved', 'unreachable', 'tls'] as const;
const afterConnection = ['timeout', 'reset', 'closed', 'not-http', 'too-large', 'aborted'] as const;
export const failureKinds = [...withoutConnection, ...afterConnection, 'exhausted', 'other'] as const;
export type FailureKind = (typeof failureKinds)[number];

export function isNoConnection(kind: FailureKind): boolean {
  return withoutConnection.some((one) => one === kind);
}

export const exchangeSchema = z.object({
  /** Unique in its run, in the order of sending: `e1`, `e2`, … */
  id: z.string(),
  /** The requirement that asked, or a shared preparation (`survey`, `stock`). */
  purpose: z.string(),
  /** `null` if the specification does not list the method and path. */
  operation: z.enum(operationNames).nullable(),
  /** `equivalent`: the valid key in a form that a standard makes equal (`bearer`). The three after it must be refused. */
  credential: z.enum(['valid', 'equivalent', 'missing', 'malformed', 'unknown', 'other']),
  /** What was sent in the place of the valid key, in words. */
  credentialText: z.string().optional(),
  /** The environment variable that holds the key that was sent; absent if no key, or one that nobody has, was sent. */
  caller: z.string().optional(),
  phase: z.string().optional(),
  /** ISO 8601 with microseconds, by the suite's own monotonic clock. */
  sentAt: z.string(),
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: headerList,
    body: z.string().optional(),
    /** The body was sent in Latin-1, one byte for each character. */
    latin1: z.boolean().optional(),
    /** The file with the CA certificate that was trusted beside the well-known ones. */
    ca: z.string().optional(),
    /** The files with the client's own certificate and its key. */
    cert: z.tuple([z.string(), z.string()]).optional(),
    /** The source address that was chosen (`--local-address`). */
    localAddress: z.string().optional(),
  }),
  response: z
    .object({
      status: z.int(),
      /** Names as the server spelt them, in order, repeated fields apart. */
      headers: headerList,
      body: z.object({
        text: z.string().optional(),
        /** What is not UTF-8. */
        base64: z.string().optional(),
        /** Received, before anything was cut off. */
        bytes: z.int(),
        /** Only the beginning is kept: the rest was longer than the record holds. */
        truncated: z.boolean().optional(),
      }),
    })
    .optional(),
  /** Why there is no (whole) response. */
  failure: z.object({ kind: z.enum(failureKinds), message: z.string() }).optional(),
  /** Milliseconds: before sending, in the pace or behind a planned moment; and from sending on. */
  timing: z.object({ wait: z.number(), firstByte: z.number().optional(), total: z.number() }),
  /** `c1`, `c2`, … Absent if none was opened. */
  connection: z.string().optional(),
  /** The exchange that this one repeats, after a broken connection, a gateway's 502 to 504 or an unasked 429. */
  repeats: z.string().optional(),
  /** In the file: SHA-256 of the line before this one, in hexadecimal. */
  previous: z.string().optional(),
});

export type RecordedExchange = z.infer<typeof exchangeSchema>;
export type CredentialKind = RecordedExchange['credential'];
export type ExchangeResponse = NonNullable<RecordedExchange['response']>;

/** Statuses of a gateway that could not get a response from the target (RFC 9110 15.6.3 to 15.6.5). */
export const gatewayStatuses: ReadonlySet<number> = new Set([502, 503, 504]);
