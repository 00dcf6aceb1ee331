import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeFolder, freeRunFolder } from './run-files.js';

function somewhere(): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-folder-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it('makes a folder and those above it, and leaves one that is there', () => {
  const path = join(somewhere(), 'a', 'b');
  makeFolder(path);
  makeFolder(path);
  expect(statSync(path).isDirectory()).toBe(true);
});

it('says that a file is in the way', () => {
  const file = join(somewhere(), 'file');
  writeFileSync(file, '');
  expect(() => makeFolder(file)).toThrow('EEXIST');
  expect(() => makeFolder(join(file, 'below'))).toThrow('ENOTDIR');
});

it.runIf(existsSync('/proc/self'))('ends if the file system takes no folder', () => {
  expect(() => makeFolder('/proc/no-such/run')).toThrow('ENOENT');
});

it('makes a folder of its own for each that asks', () => {
  const path = join(somewhere(), 'runs', 'now');
  expect([freeRunFolder(path), freeRunFolder(path), freeRunFolder(path)]).toEqual([
    path,
    `${path}-2`,
    `${path}-3`,
  ]);
});
