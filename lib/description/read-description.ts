import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { createTransport } from '../http/connection/transport.js';
import { firstValueOf } from '../http/headers/header-list.js';
import type { LoadTarget } from '../load/lane.js';

/** A file of a description as it was read, or why it could not be. A run records it, to be judged again. */
export interface DescriptionFile {
  readonly address: string;
  readonly text?: string | undefined;
  readonly problem?: string | undefined;
}

/** Reads the target's description from a file or an http(s) address. Never rejects. */
export async function readDescription(
  source: string,
  target: LoadTarget,
  apiKey: string,
): Promise<DescriptionFile> {
  const isAddress = /^https?:/i.test(source);
  const url = isAddress ? new URL(source) : pathToFileURL(source);
  const reading = isAddress ? fetched(url, target, apiKey) : readFile(url, 'utf8');
  return reading.then(
    (text) => ({ address: url.href, text }),
    ({ message }: Error) => ({ address: url.href, problem: message }),
  );
}

/** The key is only sent to the target's origin, and only after a 401 without it. */
async function fetched({ origin, pathname, search }: URL, target: LoadTarget, apiKey: string) {
  const transport = createTransport({ ...target, origin });
  const request = { method: 'GET', path: pathname + search };
  try {
    const open = await transport.send({ ...request, headers: [] });
    const isOpen = open.status !== 401 || origin !== new URL(target.baseUrl).origin;
    const headers: [string, string][] = [['Authorization', `Bearer ${apiKey}`]];
    const result = isOpen ? open : await transport.send({ ...request, headers });
    const { status, body, failure } = result;
    if (failure) throw new Error(failure.message);
    if (status === 200) return new TextDecoder().decode(body);
    const location = firstValueOf(result.headers, 'Location');
    throw new Error(`the response is ${status}${location ? `, which leads to ${location}` : ''}`);
  } finally {
    await transport.close();
  }
}
