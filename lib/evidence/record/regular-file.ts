import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { errorCode } from '../../explain/error-code.js';
import { printable } from '../../explain/printable.js';
import { UsageProblem } from '../../explain/usage-problem.js';

/** Something else has the name of a file: a link, a folder, a pipe. Its name may be from anywhere. */
export class NotRegular extends UsageProblem {
  constructor(path: string) {
    super(printable(`${path} is not a regular file`));
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

const lineFeed = 0x0a;

/**
 * The lines of a UTF-8 stream of bytes, without their line feeds; a last line without one counts too. Node's own
 * `readline` also breaks at U+2028, which JSON leaves bare inside strings.
 */
export async function* linesIn(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let open: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = open.length === 0 ? chunk : Buffer.concat([open, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(lineFeed, open.length); end !== -1; end = bytes.indexOf(lineFeed, start)) {
      yield bytes.toString('utf8', start, end);
      start = end + 1;
    }
    open = bytes.subarray(start);
  }
  if (open.length > 0) yield open.toString('utf8');
}

/** Bytes that are read at once: most runs have no more. */
const highWaterMark = 1 << 20;

/** The lines of a file, one at a time. Throws as `openRegular` does. */
export async function* linesOf(path: string): AsyncGenerator<string> {
  const file = await openRegular(path);
  yield* linesIn(file.createReadStream({ highWaterMark }));
}
