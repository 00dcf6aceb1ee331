import type { Clock } from '../http/clock/clock.js';
import type { Exchange } from '../evidence/exchange.js';
import type { Profile } from '../verdict/profile.js';
import type { Activity } from '../limits/probe/probe-options.js';
import type { Target } from '../options/target.js';
import type { RequirementResult } from '../evidence/record/requirement-result.js';

/** What a run must do. */
export interface Settings {
  readonly target: Target;
  readonly profile: Profile;
  readonly limits: 'none' | 'minute' | 'day';
  /** A key that LIMIT-12 may get banned. */
  readonly banKey?: string | undefined;
  /** The folder of an interrupted run whose count of a day goes on. */
  readonly resume?: string | undefined;
  readonly only: readonly string[];
  readonly except: readonly string[];
  readonly strict: boolean;
  /** The run stops once so many requirements have failed: those of the stage under way are still judged. */
  readonly bail?: number | undefined;
  /** 32 bits, not negative. */
  readonly seed: number;
  readonly maximumRequests?: number | undefined;
  /** Milliseconds after which nothing more is sent. */
  readonly maximumMs?: number | undefined;
  /** A file of the user's own requirements. */
  readonly rules?: string | undefined;
  /** They are a part of the verdict. */
  readonly strictRules?: boolean | undefined;
  /** A file or an address of the target's OpenAPI document. */
  readonly description?: string | undefined;
  /** The folder of the run's files; none are written without it. */
  readonly directory?: string | undefined;
  /** The run that the folder holds may be replaced. */
  readonly overwrite?: boolean | undefined;
  /** The command as the record shows it: without keys. */
  readonly command: string;
  readonly clock: Clock;
  /** Has the variables that name proxies. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** What a run reports while it is under way. */
export interface Listener {
  result?(result: RequirementResult): void;
  /** An exchange, as it is judged: it may hold a key. */
  exchange?(exchange: Exchange): void;
  /** What a longer part of the run is doing, or waits for; null when it is over. */
  activity?(activity: Activity | null): void;
}
