import { EventEmitter } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { changesBelow, NextChange } from './next-change.js';

/** A terminal without a screen. */
class Terminal extends EventEmitter {
  readonly isTTY = true;
  raw = false;
  setRawMode(raw: boolean): void {
    this.raw = raw;
  }
  resume(): this {
    return this;
  }
  pause(): this {
    return this;
  }
}

function waiting(): { next: NextChange; keys: Terminal; change: (path: string) => void } {
  const keys = new Terminal();
  let tell: (path: string) => void = () => undefined;
  const next = new NextChange({ onChange: (callBack) => (tell = callBack) }, keys);
  return { next, keys, change: (path) => tell(path) };
}
const { signal } = new AbortController();

describe('a wait for the next round', () => {
  test('ends with a change, a key, the wish to end, or an interruption', async () => {
    const { next, keys, change } = waiting();
    const changed = next.wait(signal);
    expect(keys.raw).toBe(true);
    change('a.ts');
    change('b.ts');
    expect(await changed).toBe('again');
    expect(keys.raw).toBe(false);
    const pressed = next.wait(signal);
    keys.emit('data', Buffer.from('\r'));
    expect(await pressed).toBe('again');
    const ended = next.wait(signal);
    keys.emit('data', Buffer.from('q'));
    expect(await ended).toBe('end');
    const controller = new AbortController();
    const interrupted = next.wait(controller.signal);
    controller.abort();
    expect(await interrupted).toBe('end');
    expect(await next.wait(controller.signal)).toBe('end');
  });

  test('counts what changed during a round, but not a file that the service writes in each', async () => {
    const { next, keys, change } = waiting();
    change('data.json');
    expect(await next.wait(signal)).toBe('again');
    change('data.json');
    const second = next.wait(signal);
    keys.emit('data', Buffer.from('q'));
    expect(await second).toBe('end');
  });
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
