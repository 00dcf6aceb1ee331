import { z } from 'zod';
import { UsageProblem } from '../../explain/usage-problem.js';

/** HTTP Archive 1.2, as far as it is read. Tools leave out much that the format asks for, so that little is required. */

const headerSchema = z.looseObject({ name: z.string(), value: z.string().catch('') });
const numberSchema = z.number().nullish().catch(null);

const entrySchema = z.looseObject({
  startedDateTime: z.string(),
  time: numberSchema,
  /** Chromium: the response came from its cache, or was made by a service worker. */
  _fromCache: z.unknown().optional(),
  _fetchedViaServiceWorker: z.unknown().optional(),
  request: z.looseObject({
    method: z.string(),
    url: z.string(),
    headers: z.array(headerSchema).catch([]),
    postData: z.looseObject({ text: z.string().optional() }).nullish().catch(null),
    bodySize: numberSchema.optional(),
  }),
  response: z.looseObject({
    status: z.number().catch(0),
    headers: z.array(headerSchema).catch([]),
    content: z
      .looseObject({ size: numberSchema, text: z.string().nullish(), encoding: z.string().nullish() })
      .catch({ size: null, text: null, encoding: null }),
  }),
  timings: z.looseObject({ receive: numberSchema }).nullish().catch(null),
});
export type HarEntry = z.infer<typeof entrySchema>;

const harSchema = z.looseObject({
  log: z.looseObject({
    creator: z
      .looseObject({ name: z.string().catch(''), version: z.string().catch('') })
      .catch({ name: '', version: '' }),
    entries: z.array(entrySchema),
  }),
});

export interface Har {
  /** The program that recorded it. */
  readonly tool: string;
  /** In the order of sending. */
  readonly entries: readonly HarEntry[];
}

/** @throws UsageProblem that names the first place that is not as the format has it. */
export function parseHar(text: string, file: string): Har {
  let raw: unknown;
  try {
    // Fiddler and others begin with a byte order mark.
    raw = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw new UsageProblem(`${file} is not JSON: a HAR file (HTTP Archive 1.2) is expected`);
  }
  const parsed = harSchema.safeParse(raw);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new UsageProblem(
      `${file} is not a HAR file (HTTP Archive 1.2): at ${issue?.path.join('.') || 'its top'}: ${issue?.message ?? ''}`,
    );
  }
  const { creator, entries } = parsed.data.log;
  const wrong = entries.find(({ startedDateTime }) => Number.isNaN(Date.parse(startedDateTime)));
  if (wrong) throw new UsageProblem(`${file}: startedDateTime ${wrong.startedDateTime} is not a date`);
  return {
    tool: [creator.name, creator.version].filter((part) => part !== '').join(' '),
    entries: entries.toSorted(
      (one, other) => Date.parse(one.startedDateTime) - Date.parse(other.startedDateTime),
    ),
  };
}

type Headers = HarEntry['request']['headers'];

/** Headers as pairs: without the pseudo headers of HTTP/2, and with repeated fields, which Chromium joins by a line feed, apart. */
export function headersOf(headers: Headers): [name: string, value: string][] {
  return headers
    .filter(({ name }) => !name.startsWith(':') && name !== '')
    .flatMap(({ name, value }) => value.split('\n').map((one): [string, string] => [name, one]));
}

/** The body of a response, decoded; undefined if the file does not hold it. */
export function bodyOf({ response: { content, headers } }: HarEntry): Uint8Array | undefined {
  const { text, encoding, size } = content;
  if (typeof text === 'string' && text !== '')
    return encoding === 'base64' ? Buffer.from(text, 'base64') : Buffer.from(text, 'utf8');
  const announced = headers.find(({ name }) => name.toLowerCase() === 'content-length')?.value;
  return size === 0 && (announced === undefined || announced === '0') ? Buffer.alloc(0) : undefined;
}

/**
 * Whether a body was sent in other bytes than its text has in UTF-8: tools show each of them as a character, or as U+FFFD
 * if they can't read it. What the service made of such bytes can't be compared with the text.
 */
export function isOfOtherBytes({ request: { postData, headers, bodySize } }: HarEntry): boolean {
  const text = postData?.text ?? '';
  const named = (name: string): string | undefined =>
    headers.find((header) => header.name.toLowerCase() === name)?.value;
  if (named('content-encoding') !== undefined) return false;
  const sent = Number(named('content-length') ?? bodySize ?? -1);
  return sent > 0 ? sent !== Buffer.byteLength(text) : text.includes('\ufffd');
}

/** Milliseconds from the beginning of a request to the head of its response, at most; undefined if the file does not tell. */
export function timeOf({ time, timings }: HarEntry): number | undefined {
  if (typeof time !== 'number' || time <= 0) return undefined;
  return Math.max(0, time - Math.max(0, timings?.receive ?? 0));
}
