import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeReports } from './renderers.js';
import { readManifest } from './manifest.js';
import { renderers } from './renderers.js';
import { sampleRun } from './testing/sample-folder.js';

it('makes the reports that were asked for, and a manifest that has them too', async () => {
  const { directory } = await sampleRun();
  expect(await writeReports(directory, ['html', 'junit'])).toEqual([
    join(directory, 'report.html'),
    join(directory, 'junit.xml'),
  ]);
  expect((await readManifest(directory))?.files.map(({ name }) => name)).toEqual([
    'exchanges.jsonl',
    'junit.xml',
    'report.html',
    'report.json',
  ]);
});

it('knows each renderer by the name that it has itself, and no two write the same file', () => {
  for (const [name, renderer] of Object.entries(renderers)) expect(renderer.name).toBe(name);
  const files = Object.values(renderers).map(({ file }) => file);
  expect(new Set(files).size).toBe(files.length);
});
