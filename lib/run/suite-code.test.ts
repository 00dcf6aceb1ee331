import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { builtCodeFile, builtFile, digestOfCode, digestOfSuite, suiteDigest } from './suite-code.js';

function folderOf(text: string): string {
  const root = mkdtempSync(join(tmpdir(), 'petstore-code-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const folder of ['lib', 'reports', 'scripts', 'suites']) mkdirSync(join(root, folder));
  writeFileSync(join(root, 'lib', 'verdict.js'), text);
  return root;
}

it('the package has the digest of the sources that it was built from', () => {
  expect(digestOfSuite(fileURLToPath(new URL('../../dist', import.meta.url)))).toBe(suiteDigest());
});

it('a package that was changed after it was built has another digest', () => {
  const root = folderOf('one');
  const code = { sources: 'those of the sources', built: digestOfCode(root, builtFile) };
  writeFileSync(join(root, builtCodeFile), JSON.stringify(code));
  expect(digestOfSuite(root)).toBe(code.sources);
  writeFileSync(join(root, 'lib', 'verdict.js'), 'another');
  expect(digestOfSuite(root)).toMatch(/^[0-9a-f]{64}$/u);
});

it('line ends, tests and what tests use make no other digest', () => {
  const [unix, windows] = [folderOf('a\nb'), folderOf('a\r\nb')];
  writeFileSync(join(windows, 'lib', 'verdict.test.js'), 'a test');
  expect(digestOfCode(windows, builtFile)).toBe(digestOfCode(unix, builtFile));
});
