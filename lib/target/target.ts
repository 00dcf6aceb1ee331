import type { Plan } from '../specification/plan.js';

/** A target as a run needs it. */
export interface Target {
  readonly name: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly plan: Plan;
  /** False if the plan of the key is unknown: requests are paced as on the Free plan, and RATE-04 is left out. */
  readonly planGiven: boolean;
  /** A second key, for LIMIT-08. */
  readonly otherApiKey?: string | undefined;
  /** A category that the target accepts (section 2: categories are not shown). */
  readonly categoryId?: bigint | undefined;
  /** Milliseconds after which a created animal has to be listed. */
  readonly consistencyMs: number;
  /** Milliseconds for one request as a whole. */
  readonly deadlineMs: number;
  readonly readOnly: boolean;
  /** PEM text of a certificate authority to be trusted beside the well-known ones. */
  readonly ca?: string | undefined;
  /** Accept any certificate: loopback targets only. */
  readonly insecure?: boolean | undefined;
}

/** A key whose plan is to be confirmed. */
export interface PlanKey {
  readonly plan: Plan;
  readonly apiKey: string;
  /** The environment's variable that holds it; stands for it in what is recorded. */
  readonly variable: string;
}
