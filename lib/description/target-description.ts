import { readFile } from 'node:fs/promises';
import { fetchDocument, type FetchOptions } from '../http/connection/fetch-document.js';
import { loadDescription, type LoadedDescription } from './load-description.js';

/** A file of a description as it was read, or why it could not be. A run records it, to be judged again. */
export interface DescriptionFile {
  readonly address: string;
  readonly text?: string | undefined;
  readonly problem?: string | undefined;
}

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
