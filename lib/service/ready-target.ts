import type { Target } from '../target/target.js';
import { UsageProblem } from '../usage/usage-problem.js';
import { startService, type ServiceOptions, type StartedService } from './started-service.js';
import { responds, type Waiting } from './target-response.js';

/** Milliseconds that a started service has until it responds, unless the user says otherwise. */
const usualWait = 30_000;

export interface Readiness {
  /** A command of the shell that starts the service. */
  readonly start?: string | undefined;
  /** Milliseconds to wait for the target. */
  readonly wait?: number | undefined;
}

export interface ReadyTarget {
  readonly service: StartedService | undefined;
  /** Why the target may not be there, for people. */
  readonly problem: string | undefined;
}

/**
 * Starts the service under test and waits for the target, as far as the user wants it.
 * @throws UsageProblem if something else responds at the address already, or the command ends before anything does;
 * rejects with the signal's reason. Nothing that was started is left behind then.
 */
export async function readyTarget(
  target: Target,
  { start, wait = start === undefined ? undefined : usualWait }: Readiness,
  options: ServiceOptions & Waiting,
): Promise<ReadyTarget> {
  if (wait === undefined) return { service: undefined, problem: undefined };
  const { baseUrl } = target;
  if (start === undefined) {
    const isThere = await responds(target, wait, options);
    return { service: undefined, problem: isThere ? undefined : silence(baseUrl, wait) };
  }
  if (await responds(target, 0, options))
    throw new UsageProblem(
      `something responds at ${baseUrl} before --start: end it, or leave out --start to test it`,
    );
  const service = startService(start, options);
  try {
    const waiting = new AbortController();
    const signal = AbortSignal.any([options.signal, waiting.signal]);
    const response = responds(target, wait, { ...options, signal });
    // It is no longer waited for once the command has ended.
    response.catch(() => undefined);
    const first = await Promise.race([response, service.ended]).finally(() => waiting.abort());
    if (typeof first === 'string')
      throw new UsageProblem(withLines(`the service of --start ${first} before it responded`, service));
    return { service, problem: first ? undefined : withLines(silence(baseUrl, wait), service) };
  } catch (error) {
    await service.end();
    throw error;
  }
}

function silence(baseUrl: string, wait: number): string {
  return `nothing responded at ${baseUrl} within ${wait / 1_000} s (--wait)`;
}

/** What a service printed last says more than its exit code. */
export function withLines(sentence: string, { lastLines }: Pick<StartedService, 'lastLines'>): string {
  if (lastLines.length === 0) return `${sentence}; it printed nothing`;
  return `${sentence}; it printed last:\n${lastLines.map((line) => `  ${line}`).join('\n')}`;
}
