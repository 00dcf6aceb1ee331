import type { Clock } from '../http/clock.js';
import type { Exchange } from '../http/exchange.js';
import type { Plan } from '../specification/plans.js';
import type { Profile } from '../session/probe.js';
import type { RequirementResult } from './record.js';

/** A target as a run needs it. */
export interface Target {
  readonly name: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly plan: Plan;
  /** False where nobody said which plan the key has: requests are paced as on the Free plan, and RATE-04 is left out. */
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

/** What a run is asked to do. */
export interface Settings {
  readonly target: Target;
  readonly profile: Profile;
  readonly limits: 'none' | 'minute' | 'day';
  /** The keys whose limits are tried; the target's own where there are no others. */
  readonly planKeys?: readonly PlanKey[] | undefined;
  /** A key that LIMIT-12 may get banned. */
  readonly banKey?: string | undefined;
  /** The folder of an interrupted run that a day's counting goes on from; the run's files are there, too. */
  readonly resume?: string | undefined;
  readonly only: readonly string[];
  readonly except: readonly string[];
  readonly strict: boolean;
  /** 32 bits, not negative. */
  readonly seed: number;
  readonly maximumRequests?: number | undefined;
  /** A file or an address of the target's OpenAPI document. */
  readonly description?: string | undefined;
  /** References of the description to other hosts may be fetched. */
  readonly descriptionMayLeaveHost?: boolean | undefined;
  /** Where the run's files go; none are written without it. */
  readonly directory?: string | undefined;
  /** The command as the record shows it: without keys. */
  readonly command: string;
  readonly clock: Clock;
  /** Where proxies are read from. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** What a run tells while it goes on. */
export interface Listener {
  row?(row: RequirementResult): void;
  /** A wait for the limiter begins, or is over. */
  wait?(wait: { until: number; reason: string } | null): void;
  /** A request was answered; how many have been sent so far. */
  sent?(count: number): void;
  /** An exchange, as it is recorded. */
  exchange?(exchange: Exchange): void;
  /** What a longer part of the run is at. */
  activity?(text: string): void;
}
