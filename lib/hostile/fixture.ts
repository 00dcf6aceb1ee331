import type { FailureKind } from '../evidence/recorded-exchange.js';
import { referenceKeys } from '../reference/keys.js';
import type { RequirementId } from '../specification/catalogue.js';

/** A target on loopback in which one thing is wrong, or looks wrong and is not. */
export interface HostileFixture {
  /** Unique, in words: `length-too-small`. */
  readonly name: string;
  /** What the target does, in a sentence. */
  readonly title: string;
  readonly serve: () => Promise<HostileTarget>;
  /** The status of the first `GET /pets`; by default 200, and none if that request fails. */
  readonly status?: number;
  /** How the first `GET /pets` fails. */
  readonly failure?: { readonly kind: FailureKind; readonly message: RegExp };
  /** All ids that fail in a run; by default those that follow from the failure. */
  readonly failing?: readonly RequirementId[];
  /** The result depends on the order in which requests arrive, so that other ids may fail as well. */
  readonly others?: boolean;
  /** The run's exit code: 0 conformant, 1 non-conformant, 3 incomplete. By default what follows from the failing ids. */
  readonly exit?: 0 | 1 | 3;
  /** Text that a finding, a reason or a note must contain; by default the failure's message. */
  readonly findings?: RegExp;
  /** It stops responding at some time, so that a run against it needs a short deadline. */
  readonly silent?: boolean;
  /** It uses the machine's clock, so that a run against it must not skip its waits. */
  readonly takesTime?: boolean;
}

export interface HostileTarget {
  /** `http://127.0.0.1:<port>/v1` */
  readonly baseUrl: string;
  /** Certificate authority to hand to the suite (`--ca`), PEM. */
  readonly ca?: string;
  /** How many credentials have reached an address other than the target's. */
  readonly leakedCredentials?: () => number;
  readonly close: () => Promise<void>;
}

export type Serve = HostileFixture['serve'];

/** The plan and key that every hostile target takes: large enough that no run has to wait for it. */
export const hostilePlan = 'business';
export const hostileKey = referenceKeys[hostilePlan].key;

/** The requirements that responses with valid bodies fail if no operation lists their status. */
export const undocumented = ['LIST-01', 'CREATE-01', 'ROBUST-01'] as const satisfies readonly RequirementId[];

/** The members of a fixture whose first request fails, `status` being that of a response that began. */
export function fails(
  kind: FailureKind,
  message: RegExp,
  status?: number,
): Pick<HostileFixture, 'failure' | 'status'> {
  return { failure: { kind, message }, ...(status === undefined ? {} : { status }) };
}

/** Failures of a target that can't be reached, if no response began. A broken response is a finding. */
const unreachable: ReadonlySet<FailureKind> = new Set(['refused', 'reset', 'closed', 'timeout', 'tls']);

/** What a run against a fixture comes to, with the defaults filled in. */
export function expectationOf(
  fixture: HostileFixture,
): Required<Pick<HostileFixture, 'exit' | 'failing' | 'findings'>> {
  const { failure, status } = fixture;
  const isUnreachable = failure !== undefined && status === undefined && unreachable.has(failure.kind);
  const { failing = failure && !isUnreachable ? ['ROBUST-01'] : [] } = fixture;
  const { exit = isUnreachable ? 3 : failing.length > 0 ? 1 : 0 } = fixture;
  return { exit, failing, findings: fixture.findings ?? failure?.message ?? /^/ };
}
