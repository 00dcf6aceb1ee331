import { readFile } from 'node:fs/promises';
import { createTransport, type TransportOptions } from '../http/connection/transport.js';
import { firstValueOf } from '../http/headers/header-list.js';
import type { Target } from '../options/target.js';
import { loadDescription, type LoadedDescription } from './load-description.js';

/** A file of a description as it was read, or why it could not be. A run records it, to be judged again. */
export interface DescriptionFile {
  readonly address: string;
  readonly text?: string | undefined;
  readonly problem?: string | undefined;
}

export interface FetchOptions {
  readonly target: Pick<Target, 'baseUrl' | 'apiKey' | 'deadlineMs' | 'ca' | 'clientCertificate'>;
  readonly environment: TransportOptions['environment'];
}

/** Bytes of one document. */
const longestDocument = 20 * 1024 * 1024;

/** Loads the target's description from a file or an address. Never rejects. */
export async function loadTargetDescription(
  source: string | undefined,
  options: FetchOptions & { readonly onFile: (file: DescriptionFile) => void },
): Promise<LoadedDescription> {
  if (source === undefined)
    return { ok: false, message: 'no interface description was given (--description=FILE|URL)' };
  return loadDescription(source, async (url) => {
    const { href: address } = url;
    try {
      const text = await (url.protocol === 'file:' ? readFile(url, 'utf8') : fetchDocument(url, options));
      options.onFile({ address, text });
      return text;
    } catch (error) {
      options.onFile({ address, problem: error instanceof Error ? error.message : String(error) });
      throw error;
    }
  });
}

/** Loads a description again from the files that were read then. Never rejects. */
export async function loadRecordedDescription(
  source: string,
  files: readonly DescriptionFile[],
): Promise<LoadedDescription> {
  return loadDescription(source, async ({ href }) => {
    const { text, problem } = files.find(({ address }) => address === href) ?? {};
    return text ?? Promise.reject(new Error(problem ?? 'it is not recorded'));
  });
}

/**
 * Fetches a document that is not one of the operations. The key is only sent to the target's origin, and only after a 401
 * without it.
 * @throws Error whose message says why there is no document
 */
export async function fetchDocument(url: URL, { target, environment }: FetchOptions): Promise<string> {
  const { deadlineMs, ca, clientCertificate, baseUrl, apiKey } = target;
  const { origin } = url;
  const own = { origin, deadlineMs, ca, clientCertificate, environment };
  const transport = createTransport({ ...own, maximumBytes: longestDocument });
  const accept = ['Accept', 'application/json, application/yaml, */*;q=0.5'] as const;
  const authorization = ['Authorization', `Bearer ${apiKey}`] as const;
  const request = { method: 'GET', path: url.pathname + url.search };
  try {
    let result = await transport.send({ ...request, headers: [accept] });
    if (result.status === 401 && origin === new URL(baseUrl).origin)
      result = await transport.send({ ...request, headers: [accept, authorization] });
    const { status, headers, body, failure } = result;
    if (status === null || failure) throw new Error(failure?.message ?? 'no response');
    if (status === 200) return new TextDecoder().decode(body);
    const location = firstValueOf(headers, 'Location');
    throw new Error(
      `the response is ${status}${location === undefined ? '' : `, which leads to ${location}`}`,
    );
  } finally {
    await transport.close();
  }
}
