import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { packageFile, suiteName, suiteVersion } from '../lib/run/suite-name.js';
import { loadOptions } from '../lib/options/load-options.js';
import { checkCommandLine } from '../lib/options/command-line.js';

const fleet = (name = ''): URL => packageFile(`docs/fleet/${name}`);
const begin = '2026-11-23T21:00:00Z';
const environment = { BASE_URL: 'http://127.0.0.1:8080/v1', BEGIN: begin };
let folder: string;

/** Its `npx` writes down how it is called. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-fleet-files-'));
  const npx = join(folder, 'npx');
  writeFileSync(npx, '#!/bin/sh\nprintf "%s\\n" "$@" >>called\n');
  chmodSync(npx, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What a command gives to `petstore-conformance`. */
function calledBy(
  [file = '', ...args]: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): string[] {
  const called = join(folder, 'called');
  rmSync(called, { force: true });
  const env = { ...process.env, ...environment, ...variables, PATH: `${folder}:${process.env['PATH']}` };
  execFileSync(file, args, { cwd: folder, env, stdio: 'pipe' });
  const words = readFileSync(called, 'utf8').trimEnd().split('\n');
  expect(words.slice(0, 3)).toEqual(['--yes', `${suiteName}@${suiteVersion}`, 'load']);
  return words.slice(3);
}

const documents = (name: string): unknown[] =>
  parseAllDocuments(readFileSync(fleet(name), 'utf8')).map((document) => {
    if (!('toJS' in document)) throw new Error(`${name} is empty`);
    expect(document.errors).toEqual([]);
    return document.toJS() as unknown;
  });

/** A share's command, as the options of a load understand it. */
function shareOf(words: readonly string[]): { number?: number; of?: number } {
  const {
    share,
    begin: at,
    rate,
    duration,
    baseUrl,
    output,
  } = checkCommandLine(words, { name: 'load', options: loadOptions }).values;
  expect({ at, rate, baseUrl }).toEqual({ at: Date.parse(begin), rate: 40, baseUrl: environment.BASE_URL });
  expect(duration).toBeGreaterThan(0);
  expect(output).toBe(resolve(`share-${share?.number}`));
  return { ...share };
}

const whole = ['merge', 'share-1', 'share-2', 'share-3', 'share-4', '--output=whole'];

describe('the files that start a load on many machines', () => {
  it('of Artillery send the shares one by one', () => {
    const [{ config }] = z
      .tuple([
        z.object({
          config: z.object({
            phases: z.tuple([z.object({ arrivalRate: z.int() })]),
            variables: z.looseObject({}),
          }),
        }),
      ])
      .parse(documents('artillery.yml'));
    const vars = { ...config.variables, target: environment.BASE_URL };
    const script = `const { sendShare } = await import('${fleet('artillery-share.mjs').href}');
      await sendShare(${JSON.stringify({ vars })});`;
    const send = (): string[] => calledBy([process.execPath, '--input-type=module', '-e', script]);
    expect(config).toMatchObject({ variables: { shares: 4 }, phases: [{ arrivalRate: 4 }] });
    expect([1, 2, 3, 4].map(() => shareOf(send()))).toEqual(
      [1, 2, 3, 4].map((number) => ({ number, of: 4 })),
    );
    expect(send).toThrow('all 4 shares have been sent');
  });

  it('of Kubernetes have a pod for each share', () => {
    const job = z.object({
      spec: z.object({
        completions: z.int().optional(),
        template: z.object({
          spec: z.object({
            containers: z.tuple([z.object({ command: z.array(z.string()), args: z.array(z.string()) })]),
          }),
        }),
      }),
    });
    const commandOf = (document: unknown): string[] => {
      const [{ command, args }] = job.parse(document).spec.template.spec.containers;
      return [...command, ...args];
    };
    const [, shares] = documents('kubernetes.yaml');
    expect(job.parse(shares).spec.completions).toBe(4);
    for (const index of [0, 3])
      expect(shareOf(calledBy(commandOf(shares), { JOB_COMPLETION_INDEX: String(index) }))).toEqual({
        number: index + 1,
        of: 4,
      });
    expect(calledBy(commandOf(documents('kubernetes-merge.yaml')[0]))).toEqual([...whole, '--overwrite']);
  });

  it('of GitHub have a job for each share', () => {
    const job = z.object({
      strategy: z.object({ matrix: z.object({ share: z.array(z.int()) }) }).optional(),
      steps: z.array(z.object({ run: z.string().optional() })),
    });
    const [{ jobs }] = z
      .tuple([z.object({ jobs: z.object({ begin: job, share: job, merge: job }) })])
      .parse(documents('github.yml'));
    const commandOf = ({ steps }: z.infer<typeof job>): string[] => [
      'bash',
      '-c',
      steps.flatMap(({ run }) => run ?? []).join('\n'),
    ];
    expect(jobs.share.strategy?.matrix.share).toEqual([1, 2, 3, 4]);
    expect(shareOf(calledBy(commandOf(jobs.share), { SHARE: '3' }))).toEqual({ number: 3, of: 4 });
    for (const share of whole.slice(1, 5)) mkdirSync(join(folder, share), { recursive: true });
    expect(calledBy(commandOf(jobs.merge))).toEqual(whole);
  });

  it('all start this version', () => {
    const texts = readdirSync(fleet()).map((name) => readFileSync(fleet(name), 'utf8'));
    expect(new Set(texts.join('').match(/petstore-conformance@[\w.]+/g))).toEqual(
      new Set([`${suiteName}@${suiteVersion}`]),
    );
  });
});
