import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changesBelow, NextChange } from './next-change.js';

function waiting() {
  let change: (path: string) => void = () => undefined;
  const next = new NextChange({ onChange: (tell) => (change = tell) });
  return { next, change: (path: string) => change(path) };
}

test('a wait ends with a change, all that belongs to it, or an interruption', async () => {
  const { next, change } = waiting();
  const controller = new AbortController();
  const changed = next.wait(controller.signal);
  change('a.ts');
  change('b.ts');
  expect(await changed).toBe('again');
  const interrupted = next.wait(controller.signal);
  controller.abort();
  expect(await interrupted).toBe('end');
  expect(await next.wait(controller.signal)).toBe('end');
});

test('a wait counts what changed during a round, but not a file that the service writes in each', async () => {
  const { next, change } = waiting();
  const controller = new AbortController();
  change('data.json');
  expect(await next.wait(controller.signal)).toBe('again');
  change('data.json');
  const second = next.wait(controller.signal);
  controller.abort();
  expect(await second).toBe('end');
});

test('files below a path are watched, but those of dependencies and of runs', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-watch-'));
  for (const name of ['node_modules', 'src']) mkdirSync(join(folder, name));
  const changes = changesBelow(folder);
  try {
    await changes.ready;
    const changed = new Promise<string>((resolve) => changes.onChange(resolve));
    writeFileSync(join(folder, 'node_modules', 'a.js'), '');
    writeFileSync(join(folder, 'server.log'), '');
    writeFileSync(join(folder, 'src', 'b.js'), '');
    expect(await changed).toBe(join(folder, 'src', 'b.js'));
  } finally {
    await changes.close();
    rmSync(folder, { recursive: true });
  }
});
