import { setTimeout as passed } from 'node:timers/promises';
import type { RequirementResult } from '../../evidence/record/requirement-result.js';
import { proveAgainst } from '../prove.js';
import type { Mutant } from './mutant.js';
import type { MutantService } from './mutant-service.js';
import type { ProofSettings } from './proof-settings.js';

/** What the suite makes of the service without a mutant. */
export interface Original {
  /** By the id of the requirement. */
  readonly verdicts: ReadonlyMap<string, RequirementResult['verdict']>;
  /** The numbers of the mutants whose code was reached. */
  readonly reached: ReadonlySet<string>;
}

/** What the suite makes of a mutant. `by`: the first id that turned, all that differ if none turned, or how it ended. */
export type Judged =
  | { readonly outcome: 'survived'; readonly reached: boolean }
  | { readonly outcome: 'killed'; readonly by: readonly string[] };

/** Milliseconds within which the verdicts must be there. A run takes some tenths of a second. */
const longestRun = 60_000;

/** Judges the service without a mutant. */
export async function judgeOriginal(
  service: MutantService,
  { options, proof }: ProofSettings,
): Promise<Original> {
  let reached: ReadonlySet<string> = new Set();
  const record = await proveAgainst(options, {
    ...proof,
    async serve(given) {
      const started = await service.start(undefined, given);
      ({ reached } = started);
      return started;
    },
  });
  return { verdicts: new Map(record.requirements.map(({ id, verdict }) => [id, verdict])), reached };
}

/**
 * Judges one mutant. A mutant whose code is not reached survives without a run. If responses that came too late may be the
 * whole difference, it is judged once more: this machine may have been busy.
 */
export async function judgeMutant(
  service: MutantService,
  mutant: Mutant,
  original: Original,
  settings: ProofSettings,
): Promise<Judged> {
  if (!original.reached.has(mutant.number)) return { outcome: 'survived', reached: false };
  const judged = await judgeOnce(service, mutant, original, settings);
  return mayBeLate(judged) ? judgeOnce(service, mutant, original, settings) : judged;
}

/** No response is a matter of ROBUST-01; one that came too late leaves a few others open beside it. */
function mayBeLate(judged: Judged): boolean {
  return judged.outcome === 'killed' && judged.by.includes('ROBUST-01') && judged.by.length <= 5;
}

/** Up to the first requirement that turns and does not without the mutant: that is a difference already. */
async function judgeOnce(
  service: MutantService,
  mutant: Mutant,
  original: Original,
  { options, proof }: ProofSettings,
): Promise<Judged> {
  const end = new AbortController();
  const turned: string[] = [];
  let isStarted = false;
  let isEndless = false;
  const run = proveAgainst(options, {
    ...proof,
    signal: end.signal,
    async serve(given) {
      const started = await service.start(mutant, given);
      isStarted = true;
      const close = (): Promise<void> => {
        isEndless = started.isEndless();
        return started.close();
      };
      return { ...started, close };
    },
    listener: {
      result({ id, verdict }) {
        if (original.verdicts.get(id) === verdict || (verdict !== 'fail' && verdict !== 'warn')) return;
        turned.push(id);
        end.abort();
      },
    },
  }).catch((error: unknown) => {
    if (isStarted) throw error;
  });
  const record = await Promise.race([run, passed(longestRun, late, { ref: false })]);
  if (record === undefined) return { outcome: 'killed', by: ['does not start'] };
  if (record === late || isEndless) {
    end.abort();
    return { outcome: 'killed', by: ['does not end'] };
  }
  if (turned.length > 0) return { outcome: 'killed', by: turned.slice(0, 1) };
  const by = record.requirements
    .filter(({ id, verdict }) => original.verdicts.get(id) !== verdict)
    .map(({ id }) => id);
  return by.length > 0 ? { outcome: 'killed', by } : { outcome: 'survived', reached: true };
}

const late = Symbol('late');
