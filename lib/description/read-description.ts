import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createTransport } from '../http/connection/transport.js';
import { firstValueOf } from '../http/headers/header-list.js';
import type { LoadTarget } from '../load/lane.js';
import type { DescriptionFile } from './load-description.js';

/**
 * Reads the target's description from a file or an http(s) address. The key is only sent to the target's origin, and only
 * after a 401 without it. Never rejects.
 */
export async function readDescription(
  source: string,
  target: Omit<LoadTarget, 'userAgent'>,
  apiKey: string,
): Promise<DescriptionFile> {
  const isAddress = /^https?:/i.test(source);
  const { href } = isAddress ? new URL(source) : pathToFileURL(resolve(source));
  try {
    const text = await (isAddress ? fetched(href, target, apiKey) : readFile(resolve(source), 'utf8'));
    return { address: href, text };
  } catch (error) {
    return { address: href, problem: (error as Error).message };
  }
}

async function fetched(
  address: string,
  target: Omit<LoadTarget, 'userAgent'>,
  apiKey: string,
): Promise<string> {
  const { origin, pathname, search } = new URL(address);
  const transport = createTransport({ ...target, origin });
  const accept = ['Accept', 'application/json, application/yaml, */*;q=0.5'] as const;
  const request = { method: 'GET', path: pathname + search };
  try {
    let result = await transport.send({ ...request, headers: [accept] });
    if (result.status === 401 && origin === new URL(target.baseUrl).origin)
      result = await transport.send({ ...request, headers: [accept, ['Authorization', `Bearer ${apiKey}`]] });
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
