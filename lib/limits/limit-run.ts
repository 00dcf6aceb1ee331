import type { Clock } from '../http/clock/clock.js';
import type { Credential } from '../http/exchange/credential.js';
import type { Exchange } from '../http/exchange/exchange.js';
import type { Redact } from '../http/redaction/redaction.js';
import type { Plan } from '../specification/plan.js';
import type { PetStatus } from '../specification/body-schema.js';
import type { Seen } from './seen.js';

/** The target of a limit run. */
interface LimitTarget {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Milliseconds for one request as a whole. */
  readonly timeoutMs: number;
  readonly ca?: string | undefined;
  readonly insecure?: boolean | undefined;
  /** Where proxies are read from; without it none is used. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** What a run may send as a whole, whoever sends it. */
export interface Budget {
  /** Keeps room for so many requests; returns how many it grants. */
  reserve(requests: number): number;
  /** Gives room back that was not used, or whose requests are counted now. */
  release(requests: number): void;
  /** What is said when nothing is left. */
  readonly spent: string;
}

/** What the limit checks of one plan need. */
export interface LimitRunOptions {
  readonly target: LimitTarget;
  readonly plan: Plan;
  /** The plan's key in its documented form. */
  readonly credential: Credential;
  /** A second key, for LIMIT-08. */
  readonly otherCredential?: Credential | undefined;
  /** A key that nobody has, for LIMIT-13. */
  readonly unknownCredential: Credential;
  /** Send nothing that could create. */
  readonly readOnly: boolean;
  /** What the run sent with the plan's key before, in the order of sending. */
  readonly earlier?: readonly Seen[] | undefined;
  /** A NewPet that the target accepts, under a name that no other animal has. */
  readonly newPet: (status: PetStatus) => { readonly name: string; readonly body: string };
  /** The status that the store holds the fewest animals of: what is created under it is the likeliest to be listed. */
  readonly quietStatus: PetStatus;
  /** An animal that is there, where one is known: for `getPet` in a read-only run. */
  readonly petId?: string | undefined;
  readonly redact: Redact;
  /** Keeps an exchange as evidence, and gives it its id. */
  readonly record: (exchange: Omit<Exchange, 'id'>) => Exchange;
  /** Keeps the run within `--max-requests`; without it there is no end to what may be sent. */
  readonly budget?: Budget | undefined;
  /** What is being done or waited for, for a line on a terminal. */
  readonly progress: (text: string) => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly userAgent: string;
  /** Treat a target on this machine with the restraint that others get. */
  readonly treatAsRemote?: boolean | undefined;
  /** Milliseconds of "a minute"; 60,000 outside of tests. */
  readonly windowMs?: number | undefined;
}
