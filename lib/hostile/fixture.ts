import type { FailureKind } from '../http/exchange/exchange.js';
import { referenceKeys } from '../reference/keys.js';
import type { RequirementId } from '../specification/catalogue.js';

/** A target on loopback in which one thing is wrong, or looks wrong and is not. */
export interface HostileFixture {
  /** Unique, in words: `length-too-small`. */
  readonly name: string;
  /** What the target does, in a sentence. */
  readonly title: string;
  readonly serve: () => Promise<HostileTarget>;
  /** The result that a conformance run against it must have. */
  readonly expects: Expectation;
  /** The result of the first `GET /pets` on the wire. */
  readonly wire: WireExpectation;
  /** It stops responding at some time, so that a run against it needs a short deadline. */
  readonly silent?: boolean;
  /** It uses the machine's clock, so that a run against it must not skip its waits. */
  readonly takesTime?: boolean;
}

export interface Expectation {
  /** The run's exit code: 0 conformant, 1 non-conformant, 3 incomplete. */
  readonly exit: 0 | 1 | 3;
  /** All ids that fail; by default none. */
  readonly failing?: readonly RequirementId[];
  /** The result depends on the order in which requests arrive, so that other ids may fail as well. */
  readonly others?: boolean;
  /** Text that a finding, a reason or a note must contain. */
  readonly findings?: RegExp;
}

export interface WireExpectation {
  readonly status?: number;
  readonly failure?: { readonly kind: FailureKind; readonly message: RegExp };
}

export interface HostileTarget {
  /** `http://127.0.0.1:<port>/v1` */
  readonly baseUrl: string;
  /** Certificate authority to hand to the suite (`--ca`), PEM. */
  readonly ca?: string;
  /** The suite must be started with `--insecure`. */
  readonly insecure?: boolean;
  /** How many credentials have reached an address other than the target's. */
  readonly leakedCredentials?: () => number;
  readonly close: () => Promise<void>;
}

/** The plan and key that every hostile target takes: large enough that no run has to wait for it. */
export const hostilePlan = 'business';
export const hostileKey = referenceKeys[hostilePlan].key;

/** The requirement that every broken response fails. */
export const brokenAnswer = { exit: 1, failing: ['ROBUST-01'] } as const satisfies Expectation;

/** The result of responses with valid bodies and a status that no operation lists. */
export const undocumented = {
  exit: 1,
  failing: ['LIST-01', 'CREATE-01', 'ROBUST-01'],
} as const satisfies Expectation;
