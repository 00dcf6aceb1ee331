import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UsageProblem } from '../../usage/usage-problem.js';
import { explained, passedOptions } from './passed-options.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-vitest-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the options that pass through to Vitest', () => {
  test('are none where none were given', () => {
    expect(passedOptions([])).toEqual({ reporters: [] });
  });

  test('are a pattern, a bail, reporters and their files', () => {
    const file = join(folder, 'a', 'junit.xml');
    const argv = [
      '-t',
      'AUTH-0[12]',
      '--bail=2',
      '--reporter=junit',
      '--reporter',
      './own.js',
      `--outputFile.junit=${file}`,
    ];
    expect(passedOptions(argv)).toEqual({
      reporters: ['junit', resolve('own.js')],
      outputFile: { junit: file },
      bail: 2,
      testNamePattern: 'AUTH-0[12]',
    });
    expect(readdirSync(join(folder, 'a'))).toEqual(['junit.xml']);
  });

  test('take a pattern for text, though it looks like a number', () => {
    expect(passedOptions(['-t', '401']).testNamePattern).toBe('401');
    expect(passedOptions(['--testNamePattern=401']).testNamePattern).toBe('401');
  });

  test.each([
    [['--bail=soon'], '--bail is to be a whole number'],
    [['--bail=1.5'], '--bail is to be a whole number'],
    [['--bail=-1'], '--bail is to be a whole number'],
    [['-t', '('], '-t is to be a regular expression, and "(" is none'],
  ])('%j is a usage problem: %s', (argv, message) => {
    expect(() => passedOptions(argv)).toThrow(UsageProblem);
    expect(() => passedOptions(argv)).toThrow(message);
  });

  test('a file without a reporter that writes it is a usage problem', () => {
    expect(() => passedOptions(['--outputFile=out.json'])).toThrow('--outputFile goes with --reporter');
  });

  test('a file that can not be written is a usage problem', () => {
    writeFileSync(join(folder, 'file'), '');
    const argv = ['--reporter=junit', `--outputFile=${join(folder, 'file', 'junit.xml')}`];
    expect(() => passedOptions(argv)).toThrow(UsageProblem);
    expect(() => passedOptions(argv)).toThrow("file/junit.xml can't be written (E");
  });
});

describe('what keeps Vitest from starting', () => {
  test('is told as a reporter that there is not, and the nearest one', () => {
    const problem = explained(new Error('Failed to load custom Reporter from junti'), {
      reporters: ['json', 'junti'],
    });
    expect(problem).toEqual(new UsageProblem('--reporter: there is no reporter junti. Did you mean junit?'));
  });

  test('is left as it is where it is something else', () => {
    const error = new Error('out of memory');
    expect(explained(error, { reporters: ['junti'] })).toBe(error);
  });
});
