import type { Target } from '../../options/target.js';
import { firstValueOf } from '../headers/header-list.js';
import { createTransport, type Transport, type TransportOptions } from './transport.js';

export interface FetchOptions {
  readonly target: Pick<Target, 'baseUrl' | 'apiKey' | 'deadlineMs' | 'ca' | 'insecure'>;
  readonly environment: TransportOptions['environment'];
}

/** Bytes of one document. */
const longestDocument = 20 * 1024 * 1024;

/** Redirects on the way to one document, for example from `/openapi` to `/openapi/`. */
const mostRedirects = 3;
const redirections = new Set([301, 302, 303, 307, 308]);

/**
 * Fetches a document that is not one of the operations, and follows redirects to the same origin.
 *
 * @throws Error whose message says why there is no document
 */
export async function fetchDocument(url: URL, options: FetchOptions, redirects = 0): Promise<string> {
  if (redirects > mostRedirects) throw new Error(`there are more than ${mostRedirects} redirects`);
  const { status, headers, body } = await fetchOnce(url, options);
  if (status === 200) return new TextDecoder().decode(body);
  const location = firstValueOf(headers, 'Location');
  if (!redirections.has(status) || location === undefined || !URL.canParse(location, url.href)) {
    throw new Error(`the response is ${status}`);
  }
  const next = new URL(location, url);
  if (next.origin !== url.origin) {
    throw new Error(`the response is a redirect to ${next.href}, which is not followed`);
  }
  return fetchDocument(next, options, redirects + 1);
}

/** Requests a document. The key is only sent to the target's own origin, and only after a 401 without it. */
async function fetchOnce(
  url: URL,
  { target, environment }: FetchOptions,
): Promise<NonNullable<Awaited<ReturnType<Transport['send']>>['response']>> {
  const { baseUrl, apiKey, deadlineMs, ca, insecure } = target;
  const isOwn = url.origin === new URL(baseUrl).origin;
  const transport = createTransport({
    origin: url.origin,
    maximumBytes: longestDocument,
    deadlineMs,
    ca,
    environment,
    insecure: isOwn ? insecure : undefined,
  });
  const accept: [string, string] = ['Accept', 'application/json, application/yaml, */*;q=0.5'];
  const send = async (...headers: [string, string][]): ReturnType<Transport['send']> =>
    transport.send({ method: 'GET', path: url.pathname + url.search, headers });
  try {
    let result = await send(accept);
    if (result.response?.status === 401 && isOwn) {
      result = await send(accept, ['Authorization', `Bearer ${apiKey}`]);
    }
    if (!result.response || result.failure) throw new Error(result.failure?.message ?? 'no response');
    return result.response;
  } finally {
    await transport.close();
  }
}
