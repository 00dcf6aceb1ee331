import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Interrupted } from '../lib/http/client/run-end.js';
import { proveAgainst, type ProofOptions } from '../lib/proof/prove.js';
import { cutOff, type RunRecord, runRecordSchema } from '../lib/evidence/record/record.js';
import { faults } from '../lib/reference/faults/faults.js';
import { serveReference } from '../lib/reference/serve.js';
import { exitCode } from '../lib/verdict/class-verdict.js';
import { githubAnnotations } from './github.js';
import { renderHtml } from './html/render.js';
import { htmlRun } from './html/testing/html-run.js';
import { junitXml } from './junit.js';
import { markdownSummary } from './github.js';
import { headline, verdictOf } from './summary/verdict-sentences.js';
import { renderTerminal } from './terminal/terminal-report.js';
import { applyWaivers } from './waivers.js';

/** Whatever tells of a run tells the same: a pipeline may read any of it. */

const only = ['AUTH', 'LIST-01', 'LIST-02', 'ERR', 'MEDIA'];
const broken = faults.find(({ breaks }) => breaks.join() === 'ERR-02')?.options ?? {};

function folder(): string {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-truth-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

const run = (options = {}, { settings, ...proof }: ProofOptions = {}): Promise<RunRecord> =>
  proveAgainst(options, {
    ...proof,
    target: { name: 'petstore' },
    settings: { profile: 'quick', only, ...settings },
  });

async function dead(): Promise<RunRecord> {
  const service = await serveReference();
  await service.close();
  return run({}, { serve: async () => ({ baseUrl: service.baseUrl, close: async () => undefined }) });
}

async function interrupted(options = {}): Promise<RunRecord> {
  const interruption = new AbortController();
  let received = 0;
  const listener = {
    exchange(): void {
      received += 1;
      if (received === 30) interruption.abort(new Interrupted());
    },
  };
  return run(options, { signal: interruption.signal, listener });
}

/** What is in the folder of a run that is killed: the record of its last moment. */
async function killed(): Promise<RunRecord> {
  const directory = folder();
  let text = '';
  const listener = { exchange: () => void (text ||= readFileSync(join(directory, 'report.json'), 'utf8')) };
  await run({}, { settings: { directory }, listener });
  return runRecordSchema.parse(JSON.parse(text));
}

const waived = async (
  id: 'ERR-02' | 'AUTH-01',
  until: string,
  options: typeof broken = broken,
): Promise<RunRecord> => {
  const waiver = { id, reason: 'known', owner: 'ann', until } as const;
  return applyWaivers(await run(options), {
    file: 'waivers.yaml',
    sha256: 'a'.repeat(64),
    waivers: [waiver],
  });
};

interface Truth {
  readonly word: string;
  readonly exit: number;
  /** How many requirements fail, waived ones not counted. */
  readonly failed: number;
  readonly says: RegExp;
}

const unfolded = (text: string): string => text.replaceAll(/\s+/gu, ' ');

it.each<[what: string, made: () => Promise<RunRecord>, truth: Truth]>([
  [
    'conforming',
    () => run(),
    { word: 'partial', exit: 0, failed: 0, says: /^Conformant in all that was selected: /u },
  ],
  [
    'failing',
    () => run(broken),
    { word: 'non-conformant', exit: 1, failed: 1, says: /^1 requirement failed/u },
  ],
  [
    'against a dead target',
    dead,
    { word: 'incomplete', exit: 3, failed: 0, says: /^Nothing of http.* was judged/u },
  ],
  [
    'interrupted after a failure',
    () => interrupted(broken),
    { word: 'non-conformant', exit: 1, failed: 1, says: /^1 requirement failed/u },
  ],
  [
    'killed',
    killed,
    { word: 'incomplete', exit: 3, failed: 0, says: /^Nothing of http.* was judged: the run was cut off/u },
  ],
  [
    'waived',
    () => waived('ERR-02', '2999-01-01'),
    { word: 'partial', exit: 0, failed: 0, says: /^1 known failure waived/u },
  ],
  [
    'with an expired waiver',
    () => waived('ERR-02', '2001-01-01'),
    { word: 'non-conformant', exit: 1, failed: 1, says: /^1 requirement failed/u },
  ],
  [
    'conforming with a waiver that matches nothing',
    () => waived('AUTH-01', '2999-01-01', {}),
    { word: 'waivers out of date', exit: 1, failed: 0, says: /^Conformant in all that was selected: /u },
  ],
])('one truth is told of a run that is %s', async (_, made, { word, exit, failed, says }) => {
  const record = await made();
  expect(headline(record)).toMatch(says);
  expect([verdictOf(record).word, exitCode(record)]).toEqual([word, exit]);
  const isGreen = exit === 0;
  const problems = record.waiverProblems?.length ?? 0;

  const terminal = unfolded(renderTerminal(record, { columns: 80, colour: false }));
  expect(terminal).toContain(word.toUpperCase());
  expect(terminal).toContain(unfolded(headline(record)));

  const html = await renderHtml(htmlRun(record));
  expect(unfolded(html.slice(html.indexOf('<h1>'), html.indexOf('<h1>') + 4_000)).toLowerCase()).toContain(
    word,
  );

  // The record of a killed run was written before anything was sent.
  const counts = /<dt>Requests<\/dt><dd>\d|\b\d+ requests in \d/u;
  const isKilled = record.run.stopped === cutOff;
  expect([html, markdownSummary(record)].some((text) => counts.test(text))).toBe(!isKilled);

  const markdown = markdownSummary(record);
  expect(markdown).toMatch(new RegExp(`^## .* Pet Store Service: ${word}$`, 'mu'));
  expect(markdown.startsWith('## ❌')).toBe(exit === 1);

  const xml = junitXml(record);
  const [, failures, errors] = /<testsuites [^>]*failures="(\d+)" errors="(\d+)"/u.exec(xml) ?? [];
  expect(Number(failures)).toBe(failed);
  expect(Number(failures) + Number(errors) === 0).toBe(isGreen);
  expect(Number(errors) > 0).toBe(!record.run.complete || problems > 0 || word === 'incomplete');

  const annotations = githubAnnotations(record);
  expect(annotations.some((line) => line.startsWith('::error'))).toBe(!isGreen);
  expect(annotations.some((line) => line.includes('The run did not finish'))).toBe(!record.run.complete);
});
