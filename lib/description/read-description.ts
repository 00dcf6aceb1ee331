import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createTransport, type TransportOptions } from '../http/connection/transport.js';
import { firstValueOf } from '../http/headers/header-list.js';
import type { Target } from '../options/target.js';
import type { DescriptionFile } from './load-description.js';

interface FetchOptions {
  readonly target: Pick<Target, 'baseUrl' | 'apiKey' | 'deadlineMs' | 'ca' | 'clientCertificate'>;
  readonly environment: TransportOptions['environment'];
}

/** Bytes of one document. */
const longestDocument = 20 * 1024 * 1024;

/** Reads the target's description from a file or an http(s) address. Never rejects. */
export async function readDescription(source: string, options: FetchOptions): Promise<DescriptionFile> {
  const isAddress = /^https?:\/\//i.test(source) && URL.canParse(source);
  const url = isAddress ? new URL(source) : pathToFileURL(resolve(source));
  try {
    const text = await (isAddress ? fetchDocument(url, options) : readFile(url, 'utf8'));
    return { address: url.href, text };
  } catch (error) {
    return { address: url.href, problem: error instanceof Error ? error.message : String(error) };
  }
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
