import type { PlannedRequest } from '../../http/exchange/planned-request.js';
import { isAdmitted, isRefused, type LedgerEntry } from '../../load/ledger.js';
import type { LimitSession, SendOptions } from './limit-session.js';
import type { LimitPhase } from './probe-options.js';

/** A part of the probes: when it is sent, what, how much of it at once, and what ends it. */
export interface Part {
  readonly phase: LimitPhase;
  /** Whether it is sent at all; by default it is. */
  readonly when?: (session: LimitSession) => boolean;
  /** What is done before it. */
  readonly wait?: (session: LimitSession) => Promise<void>;
  readonly requests: (session: LimitSession) => readonly PlannedRequest[];
  /** Its connections; by default one. */
  readonly over?: (session: LimitSession, requests: number) => SendOptions;
  /** What ends it: the first request that is rejected (by default), the first that is not admitted, or nothing. */
  readonly until?: keyof typeof ends;
}

const ends = {
  rejected: isRefused,
  'not admitted': (entry) => !isAdmitted(entry),
  all: () => false,
} as const satisfies Record<string, (entry: LedgerEntry) => boolean>;

/** Sends parts in order. @throws ProbesEnded if the target, or the budget, does not let them get to their end */
export async function sendParts(session: LimitSession, parts: readonly Part[]): Promise<void> {
  for (const { phase, when, wait, requests, over, until = 'rejected' } of parts) {
    if (when?.(session) === false) continue;
    session.begin(phase);
    await wait?.(session);
    const all = requests(session);
    await session.send(all, { ...over?.(session, all.length), stopAfter: ends[until] });
  }
}
