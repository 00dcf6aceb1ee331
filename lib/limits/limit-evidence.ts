import type { Exchange } from '../http/exchange/exchange.js';
import { diagnose } from './diagnose/diagnose.js';
import type { Diagnosis } from './diagnose/hypothesis.js';
import { withoutBans } from './history/left-out.js';
import { historyOf, type History, type LimitFacts } from './history/history.js';

/** What the requirements of the limits are judged by: the exchanges of a run and what was known beforehand, nothing else. */
export interface LimitEvidence {
  readonly facts: LimitFacts;
  readonly exchanges: readonly Exchange[];
  readonly history: History;
  /** The requests that counted the day, as far as they were recorded: every rejection, and what came after it. */
  readonly day: History['own'];
  /** The history with what was sent from all vantage points. */
  readonly fromAll: History;
  /** Made when it is first asked for. */
  readonly diagnosis: Diagnosis;
}

export function limitEvidence(
  exchanges: readonly Exchange[],
  facts: LimitFacts,
  ofTheDay: readonly Exchange[] = [],
): LimitEvidence {
  const history = withoutBans(historyOf(exchanges, facts));
  let diagnosis: Diagnosis | undefined;
  return {
    facts,
    exchanges,
    history,
    day: historyOf(ofTheDay, facts).own,
    get fromAll() {
      return withoutBans(historyOf(exchanges, facts, true));
    },
    get diagnosis() {
      diagnosis ??= diagnose(history);
      return diagnosis;
    },
  };
}
