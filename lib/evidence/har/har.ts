import { z } from 'zod';
import { parsedAs } from '../record/regular-file.js';

/** HTTP Archive 1.2, as far as it is read. Tools leave out much that the format asks for, so that little is required. */

/** Without the pseudo headers of HTTP/2, and with repeated fields, which Chromium joins by a line feed, apart. */
const headersSchema = z
  .array(z.object({ name: z.string(), value: z.string().catch('') }))
  .catch([])
  .transform((headers) =>
    headers
      .filter(({ name }) => !/^(?::|$)/.test(name))
      .flatMap(({ name, value }) => value.split('\n').map((one): [string, string] => [name, one])),
  );
const numberSchema = z.number().optional().catch(undefined);
const textSchema = z.string().optional().catch(undefined);

const entrySchema = z.object({
  /** Milliseconds since the Unix epoch. */
  startedDateTime: z.string().transform(Date.parse).pipe(z.number('it is not a date')),
  time: numberSchema,
  /** Chromium: the response came from its cache, or was made by a service worker. */
  _fromCache: textSchema,
  _fetchedViaServiceWorker: z.boolean().optional().catch(undefined),
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: headersSchema,
    postData: z.object({ text: textSchema }).optional().catch(undefined),
    bodySize: numberSchema,
  }),
  response: z.object({
    status: z.number().catch(0),
    headers: headersSchema,
    content: z.object({ size: numberSchema, text: textSchema, encoding: textSchema }).catch({}),
  }),
});
export type HarEntry = z.infer<typeof entrySchema>;

const harSchema = z.object({
  log: z.object({
    creator: z
      .object({ name: z.string().catch(''), version: z.string().catch('') })
      .catch({ name: '', version: '' }),
    entries: z.array(entrySchema),
  }),
});

/**
 * The program that recorded a file, and its entries in the order of sending.
 * @throws UsageProblem that names the first place that is not as the format has it.
 */
export function parseHar(text: string, file: string) {
  // Fiddler and others begin with a byte order mark.
  const problem = `${file} is not a HAR file (HTTP Archive 1.2)`;
  const { creator, entries } = parsedAs(text.replace(/^\uFEFF/, ''), harSchema, problem).log;
  return {
    tool: `${creator.name} ${creator.version}`.trim(),
    entries: entries.toSorted((one, other) => one.startedDateTime - other.startedDateTime),
  };
}

export type Har = ReturnType<typeof parseHar>;
