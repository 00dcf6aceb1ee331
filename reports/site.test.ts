import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { catalogue } from '../lib/specification/catalogue.js';
import { sampleRun } from './testing/sample-folder.js';
import { conformingRecord, faultyRecord } from './testing/sample-record.js';
import { writeSite } from './site.js';

/** The pages of some runs, and what a file of theirs holds. */
async function siteOf(
  ...named: readonly (readonly [name: string, record: ReturnType<typeof faultyRecord>])[]
) {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-site-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const runs = await Promise.all(
    named.map(async ([name, record]) => ({ ...(await sampleRun(record)), record, name })),
  );
  const path = await writeSite(runs, folder);
  return { path, read: (file: string) => readFile(join(folder, file), 'utf8') };
}

test('each requirement of each implementation leads to its place in the report, with the evidence', async () => {
  const { path, read } = await siteOf(['FastAPI', faultyRecord()], ['Go & net/http', conformingRecord()]);
  const index = await readFile(path, 'utf8');
  const links = [...index.matchAll(/href="([^"#]+)#([^"]+)"/g)];
  expect(links).toHaveLength(2 * catalogue.length);
  const pages = new Map(
    await Promise.all(
      ['1-fastapi/report.html', '2-go-net-http/report.html'].map(
        async (file) => [file, await read(file)] as const,
      ),
    ),
  );
  for (const [, page = '', id = ''] of links) expect(pages.get(page)).toContain(`id="${id}"`);
  expect(JSON.parse(await read('1-fastapi/report.json'))).toMatchObject({ verdict: 'non-conformant' });
});

test('the table shows verdicts of classes and outcomes, and loads nothing', async () => {
  const { path } = await siteOf(['<b>one</b>', faultyRecord()]);
  const index = await readFile(path, 'utf8');
  expect(index).toContain('&lt;b>one&lt;/b>');
  expect(index).toContain('<td>non-conformant</td>');
  expect(index).toMatch(/href="1--b-one-b-\/report.html#LIST-02"><span class="outcome red">/);
  expect(index).not.toMatch(/<(?:script [^>]|link|img|iframe)|https?:\/\//);
});

test('a requirement that a run does not know is a gap', async () => {
  const older = conformingRecord();
  older.requirements = older.requirements.filter(({ id }) => id !== 'GET-01');
  const { path } = await siteOf(['new', conformingRecord()], ['old', older]);
  const [, cells] =
    /<tr><th scope="row">GET-01 .*?<\/th>(.*?)<\/tr>/u.exec(await readFile(path, 'utf8')) ?? [];
  expect(cells).toMatch(/1-new\/report\.html#GET-01.*<td><\/td>$/u);
});

test('implementations of one name have folders of their own', async () => {
  const { read } = await siteOf(
    ['Go', faultyRecord()],
    ['Go', conformingRecord()],
    ['…', conformingRecord()],
  );
  const verdicts = await Promise.all(
    ['1-go', '2-go', '3--'].map(async (folder) => JSON.parse(await read(`${folder}/report.json`)) as unknown),
  );
  expect(verdicts).toMatchObject([{ verdict: 'non-conformant' }, {}, {}]);
});
