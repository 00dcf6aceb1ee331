import { join } from 'node:path';
import type { Clock } from '../http/clock/clock.js';
import { createTransport } from '../http/connection/transport.js';
import type { Redact } from '../evidence/redaction.js';
import { makeRunFolder, serviceLog, type EarlierRun } from '../evidence/record/run-files.js';
import { UsageProblem } from '../explain/usage-problem.js';
import { startService, type StartedService } from './started-service.js';
import type { Target } from './target.js';

/** Milliseconds that a started service has until it responds, unless the user says otherwise. */
const usualWait = 30_000;
/** Milliseconds between two attempts to reach it, and for one. */
const attemptEvery = 50;
const attemptMs = 2_000;

export interface Service extends EarlierRun {
  readonly target: Target;
  /** A command of the shell that starts the service. */
  readonly start?: string | undefined;
  /** Milliseconds to wait for the target. */
  readonly wait?: number | undefined;
  /** The folder of the run takes what the service prints. */
  readonly directory: string;
  /** Takes the keys out of it. */
  readonly redact: Redact;
  /** Tells the user why the target may not be there. */
  readonly complain: (message: string) => unknown;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Has the variables that name proxies. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Starts the service under test if there is a command, waits for it, and ends it after the use. A target that does not
 * respond in time is used all the same.
 * @throws UsageProblem if something else responds at the address already, or the command ends before anything does;
 * rejects with the signal's reason. Nothing that was started is left behind then.
 */
export async function withService<Result>(service: Service, use: () => Promise<Result>): Promise<Result> {
  const { target, directory, start, wait = start === undefined ? undefined : usualWait } = service;
  const silence = `nothing responded at ${target.baseUrl} within ${(wait ?? 0) / 1_000} s (--wait)`;
  if (start === undefined) {
    if (wait !== undefined && !(await responds(service, wait))) service.complain(silence);
    return use();
  }
  if (await responds(service, 0))
    throw new UsageProblem(
      `something responds at ${target.baseUrl} before --start: end it, or leave out --start to test it`,
    );
  makeRunFolder(directory, service);
  const started = startService(start, join(directory, serviceLog), service.redact);
  const told = (sentence: string): string => withLines(sentence, started);
  try {
    // It is no longer waited for once the command has ended.
    const waiting = new AbortController();
    const signal = AbortSignal.any([service.signal, waiting.signal]);
    const response = responds({ ...service, signal }, wait ?? usualWait);
    response.catch(() => undefined);
    const first = await Promise.race([response, started.ended]).finally(() => waiting.abort());
    if (typeof first === 'string')
      throw new UsageProblem(told(`the service of --start ${first} before it responded`));
    if (!first) service.complain(told(silence));
    const result = await use();
    // Undefined if the service is still there.
    const how = await Promise.race([started.ended, Promise.resolve(undefined)]);
    if (first && how !== undefined) service.complain(told(`the service of --start ${how} during the run`));
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
  const { ca, insecure } = target;
  const transport = createTransport({ origin, ca, insecure, environment, deadlineMs: attemptMs, clock });
  const until = clock.now() + forMs;
  try {
    for (;;) {
      const { response } = await transport.send({ method: 'GET', path: pathname, headers: [], signal });
      if (response) return true;
      signal.throwIfAborted();
      const left = until - clock.now();
      if (left <= 0) return false;
      await clock.sleep(Math.min(attemptEvery, left), signal);
    }
  } finally {
    await transport.close();
  }
}

/** What a service printed last says more than its exit code. */
function withLines(sentence: string, { lastLines }: StartedService): string {
  if (lastLines.length === 0) return `${sentence}; it printed nothing`;
  return `${sentence}; it printed last:\n${lastLines.map((line) => `  ${line}`).join('\n')}`;
}
