import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { errorCode } from '../../explain/error-code.js';

/** Something else has the name of a file: a link, a folder, a pipe. */
export class NotRegular extends Error {
  override readonly name = 'NotRegular';
  constructor(path: string) {
    super(`${path} is not a regular file`);
  }
}

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * Opens a file to be read. What others put into a folder may be a link to anywhere, or a pipe that never ends.
 * @throws NotRegular, or as the file system does.
 */
export async function openRegular(path: string): Promise<FileHandle> {
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: unknown) => {
    throw ['ELOOP', 'ENXIO'].includes(errorCode(error)) ? new NotRegular(path) : error;
  });
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new NotRegular(path);
}

/** The text of a file. Throws as `openRegular` does. */
export async function readRegular(path: string): Promise<string> {
  const file = await openRegular(path);
  try {
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

/**
 * The lines of a UTF-8 stream of bytes, without their line feeds; a last line without one counts too. Node's own
 * `readline` also breaks at U+2028, which JSON leaves bare inside strings.
 */
export async function* linesIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let open = '';
  for await (const chunk of chunks) {
    const lines = (open + decoder.decode(chunk, { stream: true })).split('\n');
    open = lines.pop() ?? '';
    yield* lines;
  }
  if (open !== '') yield open + decoder.decode();
}

/** The lines of a file, one at a time. Throws as `openRegular` does. */
export async function* linesOf(path: string): AsyncGenerator<string> {
  const file = await openRegular(path);
  yield* linesIn(file.createReadStream({ highWaterMark: 1 << 18 }));
}
