import { firstValueOf } from '../http/headers/header-list.js';
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { createTransport, type Transport, type TransportOptions } from '../http/connection/transport.js';
import type { Target } from '../target/target.js';
import { causeOf } from './document/description-text.js';
import { loadDescription, type LoadedDescription } from './document/load-description.js';

/** A file of a description: its text, or why it could not be read. */
export interface DescriptionFile {
  readonly address: string;
  readonly text?: string | undefined;
  readonly problem?: string | undefined;
}

export interface TargetDescriptionOptions {
  readonly target: Pick<Target, 'baseUrl' | 'apiKey' | 'deadlineMs' | 'ca' | 'insecure'>;
  /** Whether redirects and references may lead to other hosts. */
  readonly allowOtherHosts: boolean;
  readonly environment: TransportOptions['environment'];
  /** Called with each file that was read, or that could not be. */
  readonly onFile?: ((file: DescriptionFile) => void) | undefined;
}

/** Bytes of one document. */
const longestDocument = 20 * 1024 * 1024;

/** Loads the description from a file or an address. Never rejects. */
export async function loadTargetDescription(
  source: string | undefined,
  options: TargetDescriptionOptions,
): Promise<LoadedDescription> {
  if (source === undefined)
    return { ok: false, message: 'no interface description was given (--description=FILE|URL)' };
  const { allowOtherHosts, onFile } = options;
  const reading = async (address: URL, read: () => Promise<string>): Promise<string> => {
    try {
      const text = await read();
      onFile?.({ address: address.href, text });
      return text;
    } catch (error) {
      onFile?.({ address: address.href, problem: causeOf(error) });
      throw error;
    }
  };
  return loadDescription(source, {
    fetchText: (url) => reading(url, () => fetchText(url, options)),
    readFile: (path) => reading(pathToFileURL(path), () => readFile(path, 'utf8')),
    allowOtherHosts,
  });
}

/** Loads a description again from the files that were read then. Never rejects. */
export async function loadRecordedDescription(
  source: string,
  {
    files,
    allowOtherHosts,
  }: { readonly files: readonly DescriptionFile[]; readonly allowOtherHosts: boolean },
): Promise<LoadedDescription> {
  const recorded = async ({ href }: URL): Promise<string> => {
    const file = files.find(({ address }) => address === href);
    if (file?.text === undefined) throw new Error(file?.problem ?? 'it is not recorded');
    return file.text;
  };
  return loadDescription(source, {
    fetchText: recorded,
    readFile: (path) => recorded(pathToFileURL(path)),
    allowOtherHosts,
  });
}

/** Redirects on the way to one document, for example from `/openapi` to `/openapi/`. */
const mostRedirects = 3;
const redirections = new Set([301, 302, 303, 307, 308]);

/** Fetches a document and follows redirects; one to another origin only if that is allowed. */
async function fetchText(url: URL, options: TargetDescriptionOptions, redirects = 0): Promise<string> {
  if (redirects > mostRedirects) throw new Error(`there are more than ${mostRedirects} redirects`);
  const { status, headers, body } = await fetchOnce(url, options);
  if (status === 200) return new TextDecoder().decode(body);
  const location = firstValueOf(headers, 'Location');
  if (!redirections.has(status) || location === undefined || !URL.canParse(location, url.href)) {
    throw new Error(`the response is ${status}`);
  }
  const next = new URL(location, url);
  if (next.origin !== url.origin && (!options.allowOtherHosts || !/^https?:$/.test(next.protocol))) {
    throw new Error(`the response is a redirect to ${next.href}, which is not followed`);
  }
  return fetchText(next, options, redirects + 1);
}

/** Requests a document. The key is only sent to the target's own origin, and only after a 401 without it. */
async function fetchOnce(
  url: URL,
  { target, environment }: TargetDescriptionOptions,
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
