import type { Target } from '../../options/target.js';
import { firstValueOf } from '../headers/header-list.js';
import { createTransport, type TransportOptions } from './transport.js';

export interface FetchOptions {
  readonly target: Pick<Target, 'baseUrl' | 'apiKey' | 'deadlineMs' | 'ca' | 'clientCertificate'>;
  readonly environment: TransportOptions['environment'];
}

/** Bytes of one document. */
const longestDocument = 20 * 1024 * 1024;

/** Redirects on the way to one document, for example from `/openapi` to `/openapi/`. */
const mostRedirects = 3;
const redirections = new Set([301, 302, 303, 307, 308]);

/**
 * Fetches a document that is not one of the operations, and follows redirects of its own origin. The key is only sent
 * to the target's origin, and only after a 401 without it.
 * @throws Error whose message says why there is no document
 */
export async function fetchDocument(url: URL, { target, environment }: FetchOptions): Promise<string> {
  const { baseUrl, apiKey, deadlineMs, ca, clientCertificate } = target;
  const { origin } = url;
  const isOwn = origin === new URL(baseUrl).origin;
  const transport = createTransport({
    origin,
    maximumBytes: longestDocument,
    deadlineMs,
    ca,
    clientCertificate,
    environment,
  });
  const accept = ['Accept', 'application/json, application/yaml, */*;q=0.5'] as const;
  const authorization = ['Authorization', `Bearer ${apiKey}`] as const;
  try {
    let at = url;
    for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
      const request = { method: 'GET', path: at.pathname + at.search };
      let result = await transport.send({ ...request, headers: [accept] });
      if (result.status === 401 && isOwn)
        result = await transport.send({ ...request, headers: [accept, authorization] });
      const { status, headers, body, failure } = result;
      if (status === null || failure) throw new Error(failure?.message ?? 'no response');
      if (status === 200) return new TextDecoder().decode(body);
      const location = firstValueOf(headers, 'Location');
      if (!redirections.has(status) || location === undefined || !URL.canParse(location, at.href))
        throw new Error(`the response is ${status}`);
      at = new URL(location, at);
      if (at.origin !== origin)
        throw new Error(`the response is a redirect to ${at.href}, which is not followed`);
    }
    throw new Error(`there are more than ${mostRedirects} redirects`);
  } finally {
    await transport.close();
  }
}
