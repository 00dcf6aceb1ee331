import type { Clock } from '../../http/clock/clock.js';
import type { Credential } from '../../http/exchange/credential.js';
import type { Exchange } from '../../http/exchange/exchange.js';
import type { LoadTarget } from '../../load/load-target.js';
import type { PetStatus } from '../../specification/body-schema.js';
import type { LimitFacts } from '../history/history.js';

/** What a run may send as a whole, whoever sends it. */
export interface Budget {
  /** Keeps room for so many requests; returns how many it grants. */
  reserve(requests: number): number;
  /** Gives room back that was not used, or whose requests are counted now. */
  release(requests: number): void;
  /** What is said when nothing is left. */
  readonly spent: string;
}

/** What the limit probes of one plan need. */
export interface ProbeOptions {
  readonly target: LoadTarget;
  /** What the judge has to know beside the exchanges. */
  readonly facts: LimitFacts;
  /** The plan's key in its documented form. */
  readonly credential: Credential;
  /** A second key, for LIMIT-08. */
  readonly otherCredential?: Credential | undefined;
  /** A key that nobody has, for LIMIT-13. */
  readonly unknownCredential: Credential;
  /** A NewPet that the target accepts, under a name that no other animal has. */
  readonly newPet: (status: PetStatus) => string;
  /** The status that the store holds the fewest animals of: what is created under it is the likeliest to be listed. */
  readonly rarestStatus: PetStatus;
  /** An animal that is there, if one is known: for `getPet`. */
  readonly petId?: string | undefined;
  /** Every exchange of the run so far, whoever sent it. */
  readonly exchanges: () => readonly Exchange[];
  /** The phases that a verdict depends on, after what was sent so far. */
  readonly repeatsWanted: () => ReadonlySet<'sequence' | 'burst'>;
  /** Keeps an exchange as evidence, and gives it its id. */
  readonly record: (exchange: Omit<Exchange, 'id'>) => Exchange;
  /** Keeps the run within `--max-requests`; without it there is no end to what may be sent. */
  readonly budget?: Budget | undefined;
  /** What is being done or waited for, for a line on a terminal. */
  readonly progress: (text: string) => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Treat a target on this machine with the restraint that others get. */
  readonly treatAsRemote?: boolean | undefined;
}
