import { lstatSync, readFileSync } from 'node:fs';
import { printable } from '../../explain/printable.js';
import { UsageProblem } from '../../explain/usage-problem.js';

/** A run's folder that can't be read. Its files may be from anywhere: the message is made printable. */
export class UnreadableRun extends UsageProblem {
  constructor(message: string) {
    super(printable(message));
  }
}

/** Something else has the name of a file: a link, a folder, a pipe. */
export class NotRegular extends UnreadableRun {}

/**
 * The bytes of a file. What others put into a folder may be a link to anywhere, or a pipe that never ends.
 * @throws NotRegular, or as the file system does.
 */
export function bytesOf(path: string): Buffer {
  if (!lstatSync(path).isFile()) throw new NotRegular(`${path} is not a regular file`);
  return readFileSync(path);
}

/** The text of a file. Rejects as `bytesOf` throws. */
export async function readRegular(path: string): Promise<string> {
  return Promise.resolve(bytesOf(path).toString('utf8'));
}

/**
 * The lines of a file, one at a time; a last line without a line feed counts too. A longer file than a string can be has
 * lines all the same. Throws as `bytesOf`.
 */
export function* linesOf(path: string): Generator<string> {
  const bytes = bytesOf(path);
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf('\n', start);
    const end = found === -1 ? bytes.length : found;
    yield bytes.toString('utf8', start, end);
    start = end + 1;
  }
}
