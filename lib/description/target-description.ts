import { createTransport, type Transport, type TransportOptions } from '../http/connection/transport.js';
import { compareDescription, type DescriptionRequirement } from './compare-description.js';
import type { DescriptionResult } from './comparison.js';
import { loadDescription, loadSpecification } from './document/load-description.js';

/** The comparison of the target's interface description with the specification, or why there is none. */
export type ComparedDescription =
  | { readonly ok: true; readonly results: Record<DescriptionRequirement, DescriptionResult> }
  | { readonly ok: false; readonly message: string };

/** The place of the description, and how its target is reached. */
export interface TargetDescriptionOptions extends Pick<
  TransportOptions,
  'deadlineMs' | 'ca' | 'insecure' | 'environment'
> {
  /** A file or an address; undefined if the user gave none. */
  readonly source: string | undefined;
  readonly mayLeaveHost: boolean;
  /** The target's origin and key. */
  readonly origin: string;
  readonly apiKey: string;
}

/** Bytes of one document. */
const longestDocument = 20 * 1024 * 1024;

/** Loads and compares the description. Never rejects. */
export async function compareTargetDescription(
  options: TargetDescriptionOptions,
): Promise<ComparedDescription> {
  const { source, mayLeaveHost } = options;
  if (source === undefined)
    return { ok: false, message: 'no interface description was given (--description=FILE|URL)' };
  const loaded = await loadDescription(source, {
    fetchText: (url) => fetchText(url, options),
    allowOtherHosts: mayLeaveHost,
  });
  return loaded.ok
    ? { ok: true, results: compareDescription(loaded.root, await loadSpecification()) }
    : loaded;
}

/** Redirects on the way to one document, for example from `/openapi` to `/openapi/`. */
const mostRedirects = 3;

/** Fetches a document and follows redirects; one to another origin only if that is allowed. */
async function fetchText(url: URL, options: TargetDescriptionOptions): Promise<string> {
  let place = url;
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const { status, headers, body } = await fetchOnce(place, options);
    if (status === 200) return new TextDecoder().decode(body);
    const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
    if (!redirections.has(status) || location === undefined || !URL.canParse(location, place.href)) {
      throw new Error(`the response is ${status}`);
    }
    const next = new URL(location, place);
    if (next.origin !== place.origin && (!options.mayLeaveHost || !/^https?:$/.test(next.protocol))) {
      throw new Error(`the response is a redirect to ${next.href}, which is not followed`);
    }
    place = next;
  }
  throw new Error(`there are more than ${mostRedirects} redirects`);
}

const redirections = new Set([301, 302, 303, 307, 308]);

/** Requests a document. The key is only sent to the target's own origin, and only after a 401 without it. */
async function fetchOnce(
  url: URL,
  { origin, apiKey, insecure, ...options }: TargetDescriptionOptions,
): Promise<NonNullable<Awaited<ReturnType<Transport['send']>>['response']>> {
  const ownOrigin = url.origin === origin;
  const transport = createTransport({
    origin: url.origin,
    maximumBytes: longestDocument,
    ...(options.deadlineMs === undefined ? {} : { deadlineMs: options.deadlineMs }),
    ca: options.ca,
    environment: options.environment,
    insecure: ownOrigin ? insecure : undefined,
  });
  const accept: [string, string] = ['Accept', 'application/json, application/yaml, */*;q=0.5'];
  const send = async (headers: [string, string][]): ReturnType<Transport['send']> =>
    transport.send({ method: 'GET', path: url.pathname + url.search, headers });
  try {
    const open = await send([accept]);
    const result =
      open.response?.status === 401 && ownOrigin
        ? await send([accept, ['Authorization', `Bearer ${apiKey}`]])
        : open;
    if (!result.response || result.failure) throw new Error(result.failure?.message ?? 'no response');
    return result.response;
  } finally {
    await transport.close();
  }
}
