import type { Plan } from '../specification/plan.js';
import type { PetStatus } from '../specification/body-schema.js';
import type { Identification } from './identify.js';
import type { OtherWindow } from './other-window.js';
import type { Seen } from './seen.js';
import type { ClockDifferenceInterval } from './target-clock.js';
import type { UseKind, WindowUse } from './window-use.js';

/** After a 429, a wait and the first request behind it. */
export interface Recovery {
  readonly refusal: Seen;
  /** What the wait went by. */
  readonly by: 'Retry-After' | 'Reset' | 'window';
  readonly look: Seen;
}

/** A Reset that was announced, and the first request sent after it. */
export interface Restoration {
  /** The answer that announced it. */
  readonly announced: Seen;
  readonly look: Seen;
  /** Requests of the suite's own, admitted since the limit was used up, this one included. */
  readonly own: number;
}

/** A creation that was refused with 429. */
export interface RefusedCreation {
  readonly name: string;
  readonly status: PetStatus;
  readonly seen: Seen;
}

/** A listing that would show the animals of refused creations, and the control's. */
export interface CreationListing {
  readonly status: PetStatus;
  readonly seen: Seen;
}

/** What a request used up, told by the listings before and after it. */
export interface CostProbe {
  /** `400`, `404`, `401 with another key`. */
  readonly subject: string;
  readonly seen: Seen;
  /** By how much Remaining fell beyond the listing's own; undefined where it was not told. */
  readonly cost: number | undefined;
}

/** Everything that the judgements of one plan's limits read. */
export interface LimitEvidence {
  readonly plan: Plan;
  readonly windowMs: number;
  readonly readOnly: boolean;
  /** Every request sent with the key, in order. */
  readonly history: readonly Seen[];
  /** When requests with other keys were sent, in epoch milliseconds. */
  readonly strangersAt: readonly number[];
  /** What the run sent with the key before, in the order of sending. */
  readonly earlier: readonly Seen[];
  readonly difference: ClockDifferenceInterval | undefined;
  readonly identification: Identification;
  readonly uses: Partial<Record<UseKind, WindowUse>>;
  /** A window of another length that explains what was seen, where no algorithm does with a minute's. A long look too. */
  readonly otherWindow: () => OtherWindow | undefined;
  /** Whether answers show others on this key. */
  readonly othersShown: () => boolean;
  /** Whether anything may be the doing of others on this key. A long look, and seldom needed. */
  readonly othersPossible: () => boolean;
  readonly recoveries: readonly Recovery[];
  readonly restorations: readonly Restoration[];
  readonly refusedCreations: readonly RefusedCreation[];
  /** An animal that was created after the refused ones, to be seen in the same listing. */
  readonly control?: { readonly name: string; readonly seen: Seen } | undefined;
  readonly listings: readonly CreationListing[];
  /** Requests with the other key: one while this key was used up, and one when it was not. */
  readonly other: {
    readonly given: boolean;
    readonly exhausted?: Seen | undefined;
    readonly control?: Seen | undefined;
  };
  readonly costs: readonly CostProbe[];
  /** Why the run did not get to its end. */
  readonly stopped?: string | undefined;
}

/** Statuses whose requests were seen not to use the limit up. */
export function uncountedStatuses(costs: readonly CostProbe[]): ReadonlySet<number> {
  return new Set(
    costs.flatMap(({ cost, seen }) => (cost === 0 && seen.status !== null ? [seen.status] : [])),
  );
}
