import type { Exchange } from '../evidence/exchange.js';
import { diagnose, type Diagnosis } from './judge/judge.js';
import { ofTheMinute } from './history/left-out.js';
import { historyOf, type History, type LimitFacts } from './history/history.js';

/** What the limits of one key are judged by: the exchanges of a run and what was known beforehand, nothing else. */
export interface LimitEvidence {
  readonly facts: LimitFacts;
  /** All requests with the key but those that counted the day. */
  readonly sent: History['own'];
  /** Those that counted the day, as far as they are recorded: every rejection, what came after it, and a few. */
  readonly day: History['own'];
  /** What the minute's limit is judged by. What is sent from several vantage points comes last. */
  readonly history: History;
  /** Made when it is first asked for. */
  readonly diagnosis: Diagnosis;
}

export function limitEvidence(exchanges: readonly Exchange[], facts: LimitFacts): LimitEvidence {
  const all = historyOf(exchanges, facts);
  const isOfDay = ({ phase }: History['own'][number]): boolean => phase === 'day';
  const sent = all.own.filter((one) => !isOfDay(one));
  const several = sent.findIndex(({ phase }) => phase === 'vantage points');
  const before = several < 0 ? sent : sent.slice(0, several);
  const history = ofTheMinute({ ...all, own: before });
  let diagnosis: Diagnosis | undefined;
  return {
    facts,
    sent,
    day: all.own.filter(isOfDay),
    history,
    get diagnosis() {
      diagnosis ??= diagnose(history);
      return diagnosis;
    },
  };
}
