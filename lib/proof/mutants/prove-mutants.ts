import * as fc from 'fast-check';
import { Draw } from '../../draw/seeded.js';
import { judgeMutant, judgeOriginal, type Judged, type Original } from './judge-mutant.js';
import { encloses, type Mutant } from './mutant.js';
import { mutateReference, type MutantService } from './mutant-service.js';
import { otherSettings, standardSettings, type OtherSettings } from './proof-settings.js';
import type { Survivors } from './survivors.js';

/** A mutant, what the suite makes of it, and what is said of it if it survives. */
export interface MutantEntry {
  readonly mutant: Mutant;
  readonly judged: Judged;
  readonly triage: Survivors | undefined;
  /** The outcome under the other settings that the triage names. */
  readonly elsewhere: Judged | undefined;
}

/** What must be said or built before the measure is met; undefined if nothing. */
export function problemOf({
  judged,
  triage,
  elsewhere,
}: Pick<MutantEntry, 'judged' | 'triage' | 'elsewhere'>): string | undefined {
  if (judged.outcome !== 'survived') return undefined;
  if (!triage) return 'survives, and survivors.yaml does not say why';
  if (triage.class === 'other-settings' && elsewhere?.outcome === 'survived')
    return `survives under the settings "${triage.settings}", too`;
  return undefined;
}

export interface Sample {
  /** How many mutants are tried. */
  readonly size: number;
  readonly seed: number;
}

/** Some of the mutants, in their order. The same seed draws the same. */
function drawn(mutants: readonly Mutant[], { size, seed }: Sample): readonly Mutant[] {
  const length = Math.min(size, mutants.length);
  const some = fc.shuffledSubarray([...mutants], { minLength: length, maxLength: length });
  const chosen = new Set(new Draw(seed, 'mutants').one(some));
  return mutants.filter((mutant) => chosen.has(mutant));
}

/** Judges mutants of the reference service by the standard run. */
export class MutantProof {
  readonly mutants: readonly Mutant[];
  readonly #service: MutantService;
  readonly #triage: ReadonlyMap<string, Survivors>;
  readonly #originals = new Map<OtherSettings | 'standard', Promise<Original>>();

  private constructor(service: MutantService, survivors: readonly Survivors[]) {
    this.mutants = service.mutants;
    this.#service = service;
    this.#triage = new Map(survivors.flatMap((entry) => entry.mutants.map((name) => [name, entry] as const)));
  }

  static async begin(survivors: readonly Survivors[], service?: MutantService): Promise<MutantProof> {
    return new MutantProof(service ?? (await mutateReference()), survivors);
  }

  /** Judges all of them, or a sample. */
  async *judge(sample?: Sample): AsyncGenerator<MutantEntry> {
    const chosen = sample ? drawn(this.mutants, sample) : this.mutants;
    const { reached } = await this.#original('standard');
    for (const mutant of chosen) {
      const judged = await this.#judgeUnder('standard', mutant);
      const triage = this.#triageOf(mutant, reached);
      const isElsewhere = judged.outcome === 'survived' && triage?.class === 'other-settings';
      const elsewhere = isElsewhere ? await this.#judgeUnder(triage.settings, mutant) : undefined;
      yield { mutant, judged, triage, elsewhere };
    }
  }

  /** What is said of a mutant. Code that the run does not reach is invisible for the reason of what surrounds it most closely. */
  #triageOf(mutant: Mutant, reached: ReadonlySet<string>): Survivors | undefined {
    const own = this.#triage.get(mutant.name);
    if (own || reached.has(mutant.number)) return own;
    const [around] = this.mutants
      .filter(
        (other) => this.#triage.has(other.name) && !reached.has(other.number) && encloses(other, mutant),
      )
      .toSorted((a, b) => a.end - a.start - (b.end - b.start));
    return around && this.#triage.get(around.name);
  }

  async #judgeUnder(name: OtherSettings | 'standard', mutant: Mutant): Promise<Judged> {
    const settings = name === 'standard' ? standardSettings : otherSettings[name];
    return judgeMutant(this.#service, mutant, await this.#original(name), settings);
  }

  #original(name: OtherSettings | 'standard'): Promise<Original> {
    const settings = name === 'standard' ? standardSettings : otherSettings[name];
    const original = this.#originals.get(name) ?? judgeOriginal(this.#service, settings);
    this.#originals.set(name, original);
    return original;
  }
}
