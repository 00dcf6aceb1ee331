import { kindOf } from './prices.js';
import { admitted, refused, type Seen } from './seen.js';
import { viewOf } from './told.js';
import type { Plan } from '../specification/plan.js';

/** How a window is used up: one operation in sequence, the three in turn, or all requests at once. */
export type UseKind = 'sequence' | 'mixed' | 'burst';

/** Admissions that the suite's own earlier requests may have used up. */
export interface Excused {
  /** Where requests of one window may weigh on the next. */
  readonly bySliding: number;
  /** Where a window begins with everything: only the few that may have been sent in it before. */
  readonly inWindow: number;
}

/** One window, used up from fresh: every request of the key since the window was found fresh, in the order of sending. */
export interface WindowUse {
  readonly kind: UseKind;
  readonly requests: readonly Seen[];
  /** Admissions that need not come, as requests of the suite's own before the window may have used them up. */
  readonly excused: Excused;
  /** Requests with other keys meanwhile: they use it up where limits are not counted for each caller. */
  readonly strangers: number;
  /** Requests of other clients that the window held when it was found. */
  readonly others: number;
  /** The few requests of the suite's own since a window was used up last: a window that slides still holds them. */
  readonly light: readonly Seen[];
  /** Every request has its answer. */
  readonly exact: boolean;
  readonly inexact?: string | undefined;
  /** Why nothing can be concluded from it, even after repeats. */
  readonly unfit?: string | undefined;
}

/** The plan, and what was learnt of the limiter. */
export interface Surroundings {
  readonly plan: Plan;
  readonly windowMs: number;
  /** Statuses whose requests do not use the limit up. */
  readonly uncounted: ReadonlySet<number>;
  /** Whether elapsed time may explain admissions above the figure. */
  readonly mayRefill: boolean;
  /** Whether the limiter is known to use fixed windows. */
  readonly fixedWindows: boolean;
  /** How many admissions the algorithm has to give at a request after all that was sent before, as far as it is known. */
  readonly leastRoom: (look: Seen) => number | undefined;
  /** How many it admits of all that was tried, at the most. */
  readonly mostAdmitted: (use: WindowUse) => number | undefined;
}

type Counting = Pick<Surroundings, 'plan' | 'windowMs' | 'uncounted'>;

export interface UseFigures {
  /** Admissions that have to come. */
  readonly expected: number;
  /** Requests that were admitted and use the limit up. */
  readonly consumed: number;
  readonly refusals: number;
  /** Requests without any answer: nobody knows whether they used the limit up. */
  readonly lost: number;
  /** Requests answered with an error that is neither 429 nor one of their content. */
  readonly broken: number;
  /** Milliseconds from the first sending to the last admission. */
  readonly span: number;
  /** Admissions above the figure that time explains; negative where the suite's own requests hold a part of it. */
  readonly allowance: number;
  readonly others: OtherClients;
}

/** Use of the key by others, as Remaining shows it. */
interface OtherClients {
  /** Remaining fell by this many more than was sent. */
  readonly certain: number;
  /** The same, between the last admission and the first 429: a limiter that is off by one looks alike. */
  readonly possible: number;
}

export function figuresOf(use: WindowUse, around: Surroundings): UseFigures {
  const { requests } = use;
  const passed = requests.filter(admitted);
  const consumed = passed.filter((request) => counts(request, around)).length;
  const begin = Math.min(...requests.map(({ sentAt }) => sentAt));
  const span = passed.length === 0 ? 0 : Math.max(...passed.map(({ at }) => at)) - begin;
  const { perMinute } = around.plan;
  const others = otherClients(use, around);
  const excusable = around.fixedWindows ? use.excused.inWindow : use.excused.bySliding;
  const [first] = requests;
  const room = first && around.leastRoom(first);
  const excused = Math.min(excusable, perMinute - (room ?? 0));
  // The suite's own requests with other keys look like other clients where all keys are counted together.
  const shared = Math.min(use.strangers, others.certain + others.possible);
  return {
    expected: perMinute - excused - shared,
    consumed,
    refusals: requests.filter(refused).length,
    lost: requests.filter(({ status }) => status === null).length,
    broken: requests.filter((request) => request.status !== null && !admitted(request) && !refused(request))
      .length,
    span,
    allowance: allowanceOf(use, span, around),
    others: { ...others, certain: Math.max(0, others.certain - use.strangers) + use.others },
  };
}

function allowanceOf(use: WindowUse, span: number, around: Surroundings): number {
  const { perMinute } = around.plan;
  const refill = around.mayRefill ? Math.floor((perMinute * span) / around.windowMs + 1e-9) : 0;
  const most = around.mostAdmitted(use);
  const passed = use.requests.filter((request) => admitted(request) && counts(request, around)).length;
  // Where all that was tried would have been admitted, the trying says no more than that.
  return most === undefined || most >= passed ? refill : most - perMinute;
}

function counts({ status }: Seen, { uncounted }: Counting): boolean {
  return status !== null && !uncounted.has(status);
}

/** Looks for falls of Remaining that the suite's own requests do not explain. What comes back by refill only hides some. */
export function otherClients({ requests }: Pick<WindowUse, 'requests'>, around: Counting): OtherClients {
  const overlapping = requests.some(
    (request, index) => index > 0 && request.sentAt < (requests[index - 1]?.at ?? 0),
  );
  if (overlapping) return { certain: fallsBeyond(requests, around), possible: 0 };
  const falls = new Map<string, number[]>();
  let possible = 0;
  let before: Seen | undefined;
  for (const request of requests.filter(({ told }) => told.remaining !== undefined)) {
    if (before && sameView(before, request, around)) {
      const own = admitted(request) && counts(request, around) ? 1 : 0;
      const beyond = Math.max(0, (before.told.remaining ?? 0) - (request.told.remaining ?? 0) - own);
      if (refused(request)) possible += beyond;
      else {
        const what = kindOf(request);
        falls.set(what, [...(falls.get(what) ?? []), beyond]);
      }
    }
    if (refused(request)) break;
    before = request;
  }
  return { certain: unexplainedFalls([...falls.values()]), possible };
}

/**
 * Falls that the requests of one kind all show alike are their price, and nobody else's doing; and where all kinds that
 * are sent often have the same, it is the price of the rare ones too.
 */
function unexplainedFalls(byKind: readonly (readonly number[])[]): number {
  const isRegular = (falls: readonly number[]): boolean =>
    falls.length >= 3 && falls.every((fall) => fall === falls[0]);
  const [price, ...others] = new Set(byKind.filter(isRegular).map(([fall = 0]) => fall));
  const common = others.length === 0 ? (price ?? 0) : 0;
  const unexplained = byKind.filter((falls) => !isRegular(falls)).flat();
  return unexplained.reduce((sum, fall) => sum + (fall === common ? 0 : fall), 0);
}

/** For answers in no known order: how much further Remaining fell, from first to lowest, than requests were admitted. */
function fallsBeyond(requests: readonly Seen[], around: Counting): number {
  const [first] = requests;
  if (first?.told.remaining === undefined || !admitted(first)) return 0;
  const later = requests.slice(1).filter((request) => admitted(request) && sameView(first, request, around));
  const lowest = Math.min(...later.map(({ told }) => told.remaining ?? Infinity));
  if (!Number.isFinite(lowest)) return 0;
  const own = later.filter((request) => counts(request, around)).length;
  const beyond = Math.max(0, first.told.remaining - lowest - own);
  // A whole multiple of what was sent is the price of each.
  return own > 0 && beyond % own === 0 ? 0 : beyond;
}

function sameView(one: Seen, other: Seen, { plan, windowMs }: Counting): boolean {
  return viewOf(one.told, plan, windowMs) === viewOf(other.told, plan, windowMs);
}

/** Whether a window ended while it was being used up: Remaining jumped up by half the limit, and Reset by half a window. */
export function crossedReset({ requests }: WindowUse, { plan, windowMs }: Surroundings): boolean {
  return requests.some((request, index) => {
    const before = requests[index - 1];
    if (!before?.told.reset || !request.told.reset) return false;
    const reset = request.told.reset.at - before.told.reset.at;
    const risen = (request.told.remaining ?? plan.perMinute) - (before.told.remaining ?? 0);
    return reset > windowMs / 2 && risen > Math.max(1, plan.perMinute / 2);
  });
}
