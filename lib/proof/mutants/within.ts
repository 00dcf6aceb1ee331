import { setTimeout as passed } from 'node:timers/promises';

/** Given instead of a value that was not there in time. */
export const late = Symbol('late');

/** The value, or `late` if it is not there within some milliseconds. */
export async function within<Value>(
  milliseconds: number,
  value: Promise<Value>,
): Promise<Value | typeof late> {
  const timer = new AbortController();
  const { signal } = timer;
  try {
    return await Promise.race([value, passed(milliseconds, late, { signal })]);
  } finally {
    timer.abort();
  }
}
