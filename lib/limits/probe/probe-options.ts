import type { Budget } from '../../http/client/budget.js';
import type { Clock } from '../../http/clock/clock.js';
import type { Credential } from '../../http/exchange/credential.js';
import type { Exchange } from '../../evidence/exchange.js';
import type { RecordedExchange } from '../../evidence/recorded-exchange.js';
import type { LoadTarget } from '../../load/lane.js';
import type { LedgerFile } from '../../load/ledger-file.js';
import type { PetStatus } from '../../specification/body-schema.js';
import type { LimitFacts } from '../history/history.js';

/** How requests are sent and kept, whichever limit they probe. */
export interface Sending {
  readonly target: LoadTarget;
  /** The plan's key in its documented form. */
  readonly credential: Credential;
  /** Keeps an exchange as evidence, and gives it its id. */
  readonly record: (exchange: Omit<RecordedExchange, 'id'>) => Exchange;
  /** The run's ledger. */
  readonly ledger: LedgerFile;
  /** Keeps the run within `--max-requests`. */
  readonly budget: Budget;
  /** What is being done or waited for, for a line on a terminal. */
  readonly progress: (activity: Activity) => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** What a longer part of a run is doing; `until` is the moment, by the clock, at which a wait ends. */
export interface Activity {
  readonly text: string;
  readonly until?: number | undefined;
}

/** What the limit probes of one plan need. */
export interface ProbeOptions extends Sending {
  /** What the judge has to know beside the exchanges. */
  readonly facts: LimitFacts;
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
  readonly repeatsWanted: () => ReadonlySet<'sequence' | 'burst' | 'begin'>;
  /** Treat a target on this machine with the restraint that others get. */
  readonly treatAsRemote?: boolean | undefined;
}
