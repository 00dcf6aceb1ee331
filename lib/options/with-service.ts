import { join } from 'node:path';
import { createTransport } from '../http/connection/transport.js';
import { makeRunFolder, serviceLog } from '../evidence/record/run-files.js';
import { UsageProblem } from '../explain/usage-problem.js';
import type { Settings } from '../run/settings.js';
import { startService } from './started-service.js';

/** Milliseconds that a started service has until it responds, unless the user says otherwise. */
const usualWait = 30_000;
/** Milliseconds between two attempts to reach it, and for one. */
const attemptEvery = 50;
const attemptMs = 2_000;

interface Service extends Pick<Settings, 'target' | 'clock' | 'environment' | 'overwrite'> {
  /** A command of the shell that starts the service. */
  readonly start?: string | undefined;
  /** Milliseconds to wait for the target. */
  readonly wait?: number | undefined;
  /** The folder of the run takes what the service prints. */
  readonly directory: string;
  /** Tells the user why the target may not be there. */
  readonly complain: (message: string) => unknown;
  readonly signal: AbortSignal;
}

/**
 * Starts the service under test if there is a command, waits for it, and ends it after the use. A target that does not
 * respond in time is used all the same.
 * @throws UsageProblem if something else responds at the address already, or the command ends before anything does;
 * rejects with the signal's reason. Nothing that was started is left behind then.
 */
export async function withService<Result>(service: Service, use: () => Promise<Result>): Promise<Result> {
  const { target, directory, start, complain } = service;
  const { wait = start === undefined ? undefined : usualWait } = service;
  const silence = `nothing responded at ${target.baseUrl} within ${(wait ?? 0) / 1_000} s (--wait)`;
  if (start === undefined) {
    if (wait !== undefined && !(await responds(service, wait))) complain(silence);
    return use();
  }
  if (await responds(service, 0))
    throw new UsageProblem(
      `something responds at ${target.baseUrl} before --start: end it, or leave out --start to test it`,
    );
  makeRunFolder(directory, service.overwrite);
  const started = startService(start, join(directory, serviceLog));
  try {
    // Aborts with how the command ended: the service is no longer waited for.
    const over = new AbortController();
    void started.ended.then((how) => over.abort(how));
    const signal = AbortSignal.any([service.signal, over.signal]);
    const isThere = await responds({ ...service, signal }, wait ?? usualWait).catch((error: unknown) => {
      if (!over.signal.aborted) throw error;
      const sentence = `the service of --start ${over.signal.reason} before it responded`;
      throw new UsageProblem(started.told(sentence), { cause: error });
    });
    if (!isThere) complain(started.told(silence));
    const result = await use();
    if (isThere && over.signal.aborted)
      complain(started.told(`the service of --start ${over.signal.reason} during the run`));
    return result;
  } finally {
    await started.end();
  }
}

/**
 * Requests the base address, without a key, until a response of any kind comes, or for so many milliseconds; at least once.
 * Returns whether one came. Rejects with the signal's reason.
 */
async function responds(service: Service, forMs: number): Promise<boolean> {
  const { target, clock, signal, environment } = service;
  const { origin, pathname } = new URL(target.baseUrl);
  const transport = createTransport({ ...target, origin, environment, deadlineMs: attemptMs, clock });
  const until = clock.now() + forMs;
  try {
    for (;;) {
      const { status } = await transport.send({ method: 'GET', path: pathname, headers: [], signal });
      if (status !== null) return true;
      signal.throwIfAborted();
      const left = until - clock.now();
      if (left <= 0) return false;
      await clock.sleep(Math.min(attemptEvery, left), signal);
    }
  } finally {
    await transport.close();
  }
}
