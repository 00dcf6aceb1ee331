import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { brokenChain, exchangeFile } from './run-files.js';
import { exchangeOf } from '../../verdict/testing/exchange.js';

function evidenceOf(...ids: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-chain-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'exchanges.jsonl');
  const evidence = exchangeFile(path);
  for (const id of ids) evidence.append(exchangeOf({ id }).line);
  evidence.close();
  return path;
}

const linesIn = (path: string): string[] => readFileSync(path, 'utf8').trimEnd().split('\n');

describe('the lines of the evidence', () => {
  it('follow each other, also if the last one was cut off', () => {
    const path = evidenceOf('e1', 'e2');
    expect(brokenChain(path)).toBeUndefined();
    appendFileSync(path, '{"id":"e3","purp');
    expect(brokenChain(path)).toBeUndefined();
    expect(brokenChain(evidenceOf())).toBeUndefined();
  });

  it.each([
    ['one is changed', (lines: string[]) => lines.with(1, (lines[1] ?? '').replace('200', '201')), 3],
    ['one is removed', (lines: string[]) => lines.toSpliced(1, 1), 2],
    ['the first is removed', (lines: string[]) => lines.slice(1), 1],
    ['two are exchanged', (lines: string[]) => [lines[0], lines[2], lines[1], lines[3]], 2],
    ['one is there twice', (lines: string[]) => lines.toSpliced(1, 0, lines[1] ?? ''), 3],
    ['one has no hash', (lines: string[]) => lines.with(2, '{"id":"e3"}'), 3],
  ])('are broken if %s', (_, change, line) => {
    const path = evidenceOf('e1', 'e2', 'e3', 'e4');
    writeFileSync(path, `${change(linesIn(path)).join('\n')}\n`);
    expect(brokenChain(path)).toBe(line);
  });
});
