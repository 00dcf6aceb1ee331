import { firstLine } from './parse-text.js';

/** Why a file or an address could not be read, in one line for people. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error && 'code' in error) {
    if (error.code === 'ENOENT') return 'there is no such file';
    if (error.code === 'EISDIR') return 'it is a folder, not a file';
    if (error.code === 'EACCES') return 'this user may not read the file';
  }
  return firstLine(error instanceof Error ? error.message : String(error));
}
