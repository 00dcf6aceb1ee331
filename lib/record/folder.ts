import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from '../usage/error-code.js';

/**
 * Makes a folder and those above it that are missing. One after the other: Node's own `recursive` never ends if
 * a file system takes no new folder and says that there is none (ENOENT), as `/proc` does.
 * @throws as `mkdirSync` does; ENOTDIR if a file is in the way.
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above);
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have been quicker.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * Makes a folder that was not there, and gives its path: this one, or with a number behind it. Of two runs that begin in
 * the same second, each has its own.
 * @throws as `mkdirSync` does.
 */
export function makeFreeFolder(path: string): string {
  makeFolder(dirname(path));
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? path : `${path}-${number}`;
    try {
      mkdirSync(free);
      return free;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
}
