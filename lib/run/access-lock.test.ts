import { describe, expect, it } from 'vitest';
import { AccessLock } from './access-lock.js';

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

describe('the access lock', () => {
  it('lets many work at once', async () => {
    const log: string[] = [];
    const [a, b] = ['a', 'b'].map(workIn(log)) as [
      ReturnType<ReturnType<typeof workIn>>,
      ReturnType<ReturnType<typeof workIn>>,
    ];
    const lock = new AccessLock();
    const both = Promise.all([lock.shared(a.work), lock.shared(b.work)]);
    await settled();
    expect(log).toEqual(['a begins', 'b begins']);
    a.end();
    b.end();
    expect(await both).toEqual(['a', 'b']);
  });

  it('comes when those under way have ended, and those that come later wait for it', async () => {
    const log: string[] = [];
    const make = workIn(log);
    const [before, exclusive, after] = [make('before'), make('alone'), make('after')];
    const lock = new AccessLock();
    const all = [lock.shared(before.work), lock.exclusive(exclusive.work)];
    await settled();
    all.push(lock.shared(after.work));
    await settled();
    expect(log).toEqual(['before begins']);
    before.end();
    await settled();
    expect(log).toEqual(['before begins', 'before ends', 'alone begins']);
    exclusive.end();
    after.end();
    await Promise.all(all);
    expect(log.slice(3)).toEqual(['alone ends', 'after begins', 'after ends']);
  });

  it('is had by one after the other', async () => {
    const log: string[] = [];
    const make = workIn(log);
    const [first, second] = [make('first'), make('second')];
    const lock = new AccessLock();
    const both = Promise.all([lock.exclusive(first.work), lock.exclusive(second.work)]);
    await settled();
    second.end();
    await settled();
    expect(log).toEqual(['first begins']);
    first.end();
    await both;
    expect(log).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  });

  it('is over when the work fails', async () => {
    const lock = new AccessLock();
    const failing = async (): Promise<never> => {
      throw new Error('it failed');
    };
    await expect(lock.exclusive(failing)).rejects.toThrow('it failed');
    await expect(lock.shared(failing)).rejects.toThrow('it failed');
    expect(await lock.exclusive(async () => 'still')).toBe('still');
    expect(await lock.shared(async () => 'still')).toBe('still');
  });
});
