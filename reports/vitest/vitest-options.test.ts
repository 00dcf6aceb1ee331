import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UsageProblem } from '../../lib/usage/usage-problem.js';
import { explained, passedOptions } from './vitest-options.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-vitest-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the options that pass through to Vitest', () => {
  test('are none if none were given', () => {
    expect(passedOptions({})).toEqual({ reporters: [] });
  });

  test('are reporters and their files', () => {
    const file = join(folder, 'a', 'junit.xml');
    const given = {
      reporter: ['junit', './own.js'],
      outputFile: { junit: file },
    };
    expect(passedOptions(given)).toEqual({
      reporters: ['junit', resolve('own.js')],
      outputFile: { junit: file },
    });
    expect(readdirSync(join(folder, 'a'))).toEqual(['junit.xml']);
    expect(passedOptions({ reporter: ['json'], outputFile: { '': file } }).outputFile).toBe(file);
  });

  test('a file without a reporter that writes it is a usage problem', () => {
    const problem = (): unknown => passedOptions({ outputFile: { '': 'out.json' } });
    expect(problem).toThrow('--outputFile needs --reporter');
  });

  test('a file that can not be written is a usage problem', () => {
    writeFileSync(join(folder, 'file'), '');
    const outputFile = { '': join(folder, 'file', 'junit.xml') };
    expect(() => passedOptions({ reporter: ['junit'], outputFile })).toThrow(UsageProblem);
    expect(() => passedOptions({ reporter: ['junit'], outputFile })).toThrow(
      "file/junit.xml can't be written (E",
    );
  });
});

describe('what keeps Vitest from starting', () => {
  test('names a reporter that does not exist, and the nearest one', () => {
    const error = new Error('Failed to load custom Reporter from junti');
    const problem = explained(error, { reporters: ['json', 'junti'] }, ['json', 'junit']);
    expect(problem).toEqual(new UsageProblem('--reporter: there is no reporter junti. Did you mean junit?'));
  });

  test('is left as it is if it is something else', () => {
    const error = new Error('out of memory');
    expect(explained(error, { reporters: ['junti'] }, ['junit'])).toBe(error);
  });
});
