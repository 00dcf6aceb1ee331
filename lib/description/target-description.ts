import { readFile } from 'node:fs/promises';
import { fetchDocument, type FetchOptions } from '../http/connection/fetch-document.js';
import { causeOf } from './document/description-text.js';
import { loadDescription, type LoadedDescription } from './document/load-description.js';

/** A file of a description: its text, or why it could not be read. */
export interface DescriptionFile {
  readonly address: string;
  readonly text?: string | undefined;
  readonly problem?: string | undefined;
}

export interface TargetDescriptionOptions extends FetchOptions {
  /** Called with each file that was read, or that could not be. */
  readonly onFile: (file: DescriptionFile) => void;
}

/** Loads the description from a file or an address. Never rejects. */
export async function loadTargetDescription(
  source: string | undefined,
  options: TargetDescriptionOptions,
): Promise<LoadedDescription> {
  if (source === undefined)
    return { ok: false, message: 'no interface description was given (--description=FILE|URL)' };
  const read = async (url: URL): Promise<string> => {
    const address = url.href;
    try {
      const text = await (url.protocol === 'file:' ? readFile(url, 'utf8') : fetchDocument(url, options));
      options.onFile({ address, text });
      return text;
    } catch (error) {
      options.onFile({ address, problem: causeOf(error) });
      throw error;
    }
  };
  return loadDescription(source, { read, allowOtherHosts: options.allowOtherHosts });
}

/** Loads a description again from the files that were read then. Never rejects. */
export async function loadRecordedDescription(
  source: string,
  files: readonly DescriptionFile[],
  allowOtherHosts: boolean,
): Promise<LoadedDescription> {
  const read = async ({ href }: URL): Promise<string> => {
    const file = files.find(({ address }) => address === href);
    if (file?.text === undefined) throw new Error(file?.problem ?? 'it is not recorded');
    return file.text;
  };
  return loadDescription(source, { read, allowOtherHosts });
}
