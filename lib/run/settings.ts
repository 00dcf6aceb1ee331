import type { Clock } from '../http/clock/clock.js';
import type { Exchange } from '../evidence/exchange.js';
import type { Given, OptionValues } from '../options/option.js';
import type { outputOptions, scopeOptions } from '../options/run-options.js';
import type { Activity } from '../limits/probe/session.js';
import type { Target } from '../options/target.js';
import type { RequirementResult } from '../evidence/record/record.js';

type Values = OptionValues<Omit<typeof scopeOptions, 'readOnly'> & Pick<typeof outputOptions, 'overwrite'>>;
/** Options of which every run has a value. */
type Decided = 'profile' | 'limits' | 'only' | 'except' | 'strict' | 'seed';

/** What a run must do: its options, with absolute paths, and what they leave to whoever starts it. */
export interface Settings extends Partial<Omit<Values, Decided>>, Given<Values, Decided> {
  readonly target: Target;
  /** The run stops once so many requirements have failed: those of the stage under way are still judged. */
  readonly bail?: number | undefined;
  /** The folder of the run's files; none are written without it. */
  readonly directory?: string | undefined;
  /** The command as the record shows it: without keys. */
  readonly command: string;
  readonly clock: Clock;
}

/** What a run reports while it is under way. */
export interface Listener {
  result?(result: RequirementResult): void;
  /** An exchange, as it is judged: it may hold a key. */
  exchange?(exchange: Exchange): void;
  /** What a longer part of the run is doing, or waits for; null when it is over. */
  activity?(activity: Activity | null): void;
}
