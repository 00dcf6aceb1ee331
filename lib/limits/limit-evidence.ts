import type { Exchange } from '../http/exchange/exchange.js';
import { diagnose } from './diagnose/diagnose.js';
import type { Diagnosis } from './diagnose/hypothesis.js';
import { ofTheMinute } from './history/left-out.js';
import { historyOf, type History, type LimitFacts } from './history/history.js';

/** What the limits of one key are judged by: the exchanges of a run and what was known beforehand, nothing else. */
export interface LimitEvidence {
  readonly facts: LimitFacts;
  /** All but those that counted the day, of which only some are recorded. */
  readonly exchanges: readonly Exchange[];
  readonly history: History;
  /** The requests that counted the day, as far as they were recorded: every rejection, and what came after it. */
  readonly day: History['own'];
  /** The history with what was sent from all vantage points. */
  readonly fromAll: History;
  /** Made when it is first asked for. */
  readonly diagnosis: Diagnosis;
}

export function limitEvidence(all: readonly Exchange[], facts: LimitFacts): LimitEvidence {
  const exchanges = all.filter(({ phase }) => phase !== 'day');
  const history = ofTheMinute(historyOf(exchanges, facts));
  let diagnosis: Diagnosis | undefined;
  return {
    facts,
    exchanges,
    history,
    get day() {
      return historyOf(all, facts).own.filter(({ phase }) => phase === 'day');
    },
    get fromAll() {
      return ofTheMinute(historyOf(exchanges, facts, true));
    },
    get diagnosis() {
      diagnosis ??= diagnose(history);
      return diagnosis;
    },
  };
}
