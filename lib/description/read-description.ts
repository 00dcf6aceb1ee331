import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { createTransport } from '../http/connection/transport.js';
import { firstValueOf } from '../http/headers/header-list.js';
import type { LoadTarget } from '../load/lane.js';
import type { DescriptionFile } from './description.js';

/** Reads the target's description from a file or an http(s) address. Never rejects. */
export async function readDescription(
  source: string,
  target: LoadTarget,
  apiKey: string,
): Promise<DescriptionFile> {
  const isAddress = /^https?:/i.test(source);
  const url = isAddress ? new URL(source) : pathToFileURL(source);
  try {
    const text = await (isAddress ? fetched(url, target, apiKey) : readFile(url, 'utf8'));
    return { address: url.href, text };
  } catch (error) {
    return { address: url.href, problem: (error as Error).message };
  }
}

/** The key is only sent to the target's origin, and only after a 401 without it. */
async function fetched({ origin, pathname, search }: URL, target: LoadTarget, apiKey: string) {
  const transport = createTransport({ ...target, origin });
  const request = { method: 'GET', path: pathname + search };
  try {
    let result = await transport.send({ ...request, headers: [] });
    if (result.status === 401 && origin === new URL(target.baseUrl).origin)
      result = await transport.send({ ...request, headers: [['Authorization', `Bearer ${apiKey}`]] });
    const { status, headers, body, failure } = result;
    if (failure) throw new Error(failure.message);
    if (status === 200) return new TextDecoder().decode(body);
    const location = firstValueOf(headers, 'Location');
    throw new Error(
      `the response is ${status}${location === undefined ? '' : `, which leads to ${location}`}`,
    );
  } finally {
    await transport.close();
  }
}
