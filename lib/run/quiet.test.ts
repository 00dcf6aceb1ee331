import { describe, expect, it } from 'vitest';
import { Quiet } from './quiet.js';

/** Work that ends when it is told to, and says what goes on. */
function workIn(log: string[]) {
  return (name: string) => {
    let end = (): void => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    return {
      end,
      work: async (): Promise<string> => {
        log.push(`${name} begins`);
        await over;
        log.push(`${name} ends`);
        return name;
      },
    };
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('quiet', () => {
  it('lets many work at once', async () => {
    const log: string[] = [];
    const [a, b] = ['a', 'b'].map(workIn(log)) as [
      ReturnType<ReturnType<typeof workIn>>,
      ReturnType<ReturnType<typeof workIn>>,
    ];
    const quiet = new Quiet();
    const both = Promise.all([quiet.among(a.work), quiet.among(b.work)]);
    await settled();
    expect(log).toEqual(['a begins', 'b begins']);
    a.end();
    b.end();
    expect(await both).toEqual(['a', 'b']);
  });

  it('comes when those under way have ended, and those that come later wait for it', async () => {
    const log: string[] = [];
    const make = workIn(log);
    const [before, alone, after] = [make('before'), make('alone'), make('after')];
    const quiet = new Quiet();
    const all = [quiet.among(before.work), quiet.alone(alone.work)];
    await settled();
    all.push(quiet.among(after.work));
    await settled();
    expect(log).toEqual(['before begins']);
    before.end();
    await settled();
    expect(log).toEqual(['before begins', 'before ends', 'alone begins']);
    alone.end();
    after.end();
    await Promise.all(all);
    expect(log.slice(3)).toEqual(['alone ends', 'after begins', 'after ends']);
  });

  it('is had by one after the other', async () => {
    const log: string[] = [];
    const make = workIn(log);
    const [first, second] = [make('first'), make('second')];
    const quiet = new Quiet();
    const both = Promise.all([quiet.alone(first.work), quiet.alone(second.work)]);
    await settled();
    second.end();
    await settled();
    expect(log).toEqual(['first begins']);
    first.end();
    await both;
    expect(log).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  });

  it('is over when the work fails', async () => {
    const quiet = new Quiet();
    const failing = async (): Promise<never> => {
      throw new Error('it failed');
    };
    await expect(quiet.alone(failing)).rejects.toThrow('it failed');
    await expect(quiet.among(failing)).rejects.toThrow('it failed');
    expect(await quiet.alone(async () => 'still')).toBe('still');
    expect(await quiet.among(async () => 'still')).toBe('still');
  });
});
