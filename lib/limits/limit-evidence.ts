import type { Exchange } from '../http/exchange/exchange.js';
import { diagnose } from './diagnose/diagnose.js';
import type { Diagnosis } from './diagnose/hypothesis.js';
import { ofTheMinute } from './history/left-out.js';
import { historyOf, type History, type LimitFacts } from './history/history.js';

/** What the limits of one key are judged by: the exchanges of a run and what was known beforehand, nothing else. */
export interface LimitEvidence {
  readonly facts: LimitFacts;
  /** All requests with the key. Of those that counted the day every rejection is recorded, what came after it, and a few. */
  readonly sent: History['own'];
  /** What the minute's limit is judged by. What is sent from several vantage points comes last. */
  readonly history: History;
  /** Made when it is first asked for. */
  readonly diagnosis: Diagnosis;
}

export function limitEvidence(exchanges: readonly Exchange[], facts: LimitFacts): LimitEvidence {
  const all = historyOf(exchanges, facts);
  const { own: sent } = all;
  const several = sent.findIndex(({ phase }) => phase === 'vantage points');
  const before = several < 0 ? sent : sent.slice(0, several);
  const history = ofTheMinute({ ...all, own: before.filter(({ phase }) => phase !== 'day') });
  let diagnosis: Diagnosis | undefined;
  return {
    facts,
    sent,
    history,
    get diagnosis() {
      diagnosis ??= diagnose(history);
      return diagnosis;
    },
  };
}
