import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { renderers } from '../../../reports/renderers.js';
import { freeRunFolder, openRunFiles, reportFiles } from './run-files.js';

function folderWith(...names: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of names) writeFileSync(join(folder, name), '{ "format": "petstore-conformance/1" }');
  return folder;
}

it('knows every report by its name', () => {
  expect([...reportFiles].sort()).toEqual(
    Object.values(renderers)
      .map(({ file }) => file)
      .sort(),
  );
});

it('takes away what an earlier run left, if asked to, reports too, and nothing else', () => {
  const folder = folderWith('report.json', 'exchanges.jsonl', 'manifest.json', 'report.html', 'notes.md');
  expect(() => openRunFiles(folder)).toThrow('holds a run: choose another folder, or add --overwrite');
  openRunFiles(folder, true).close();
  expect(readdirSync(folder).sort()).toEqual(['exchanges.jsonl', 'notes.md']);
});

it('leaves a report.html if no run has been', () => {
  const folder = folderWith('report.html');
  openRunFiles(folder).close();
  expect(readdirSync(folder).sort()).toEqual(['exchanges.jsonl', 'report.html']);
});

it.each(['manifest.json', 'report.json', 'exchanges.jsonl'])(
  'refuses a folder with a %s of something else, and leaves it',
  (name) => {
    const folder = folderWith();
    writeFileSync(join(folder, name), '{"name":"My web application"}');
    expect(() => openRunFiles(folder, true)).toThrow(
      `holds a ${name} that does not belong to a run: choose another folder`,
    );
    expect(readdirSync(folder)).toEqual([name]);
  },
);

it('makes a folder of its own for each that asks', () => {
  const path = join(folderWith(), 'runs', 'now');
  expect([freeRunFolder(path), freeRunFolder(path), freeRunFolder(path)]).toEqual([
    path,
    `${path}-2`,
    `${path}-3`,
  ]);
});

it('says that a file is in the way', () => {
  const file = join(folderWith('notes.md'), 'notes.md');
  expect(() => openRunFiles(file)).toThrow("can't be written (ENOTDIR)");
  expect(() => openRunFiles(join(file, 'below'))).toThrow("can't be written (ENOTDIR)");
});

it('ends if no folder can be made', () => {
  expect(() => openRunFiles('/proc/petstore-conformance/run')).toThrow(
    /the output folder .* can't be written/,
  );
});
