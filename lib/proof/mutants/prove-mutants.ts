import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { parse } from 'yaml';
import { z } from 'zod';
import { Draw } from '../../draw/seeded.js';
import { count } from '../../explain/count.js';
import { packageFile } from '../../run/suite-name.js';
import { removalDate } from '../../specification/catalogue.js';
import { daySettings, limitSettings, proveAgainst, type Proof } from '../prove.js';
import { encloses, type Mutant } from './mutant.js';
import { mutateReference, type MutantService } from './mutate-reference.js';

/** How a mutant is judged: by the standard run, or by others under which it may be visible. */
const runs = {
  standard: { options: {} },
  /** `--limits`, on the Free plan. */
  limits: { options: {}, proof: limitSettings },
  /** `--limits=day`, on a small plan. */
  day: { options: {}, proof: { ...daySettings, settings: { limits: 'day', only: ['RATE', 'LIMIT'] } } },
  /** From the day on which getPet is removed. */
  removed: { options: { now: () => removalDate } },
} as const satisfies Readonly<Record<string, Proof>>;
type RunName = keyof typeof runs;

/** Why mutants survive the standard run: no response differs, the specification allows both, or a run with `settings` kills them. */
const survivorsSchema = z.strictObject({
  because: z.string().min(1),
  settings: z.enum(Object.keys(runs) as RunName[]).default('standard'),
  mutants: z.array(z.string()).min(1),
});
export type Survivors = z.infer<typeof survivorsSchema>;

/** The survivors that are accounted for, as they are checked in. */
export function readSurvivors(): readonly Survivors[] {
  const text = readFileSync(packageFile('lib/proof/mutants/survivors.yaml'), 'utf8');
  return z.array(survivorsSchema).parse(parse(text));
}

/** The names in the file that no mutant has any more. */
export function staleNames(mutants: readonly Mutant[], survivors: readonly Survivors[]): string[] {
  const names = new Set(mutants.map(({ name }) => name));
  return survivors.flatMap((entry) => entry.mutants).filter((name) => !names.has(name));
}

/** What the suite makes of the service without a mutant: verdicts by id, and the numbers of the mutants whose code was reached. */
export async function judgeOriginal(service: MutantService, name: RunName) {
  const { options, proof }: Proof = runs[name];
  const reached = new Set<string>();
  const { requirements } = await proveAgainst(options, {
    ...proof,
    serve: (given) => service.start(undefined, given, (number) => reached.add(number)),
  });
  return { verdicts: new Map(requirements.map(({ id, verdict }) => [id, verdict])), reached };
}
type Original = Awaited<ReturnType<typeof judgeOriginal>>;

/** Milliseconds after which a run ends with what it has judged. A run takes some tenths of a second. */
const longestRun = 60_000;

/**
 * What kills a mutant: the first id that turns and does not without it, otherwise all whose verdict differs. Nothing if it
 * survives, as one whose code is not reached does without a run.
 */
export async function killersOf(
  service: MutantService,
  mutant: Mutant,
  name: RunName,
  { verdicts, reached }: Original,
): Promise<readonly string[]> {
  if (!reached.has(mutant.number)) return [];
  const { options, proof }: Proof = runs[name];
  const end = new AbortController();
  const turned: string[] = [];
  let isStarted = false;
  const record = await proveAgainst(options, {
    ...proof,
    signal: AbortSignal.any([end.signal, AbortSignal.timeout(longestRun)]),
    async serve(given) {
      const started = await service.start(mutant, given);
      isStarted = true;
      return started;
    },
    listener: {
      result({ id, verdict }) {
        if (verdicts.get(id) === verdict || (verdict !== 'fail' && verdict !== 'warn')) return;
        turned.push(id);
        // That is a difference already.
        end.abort();
      },
    },
  }).catch((error: unknown) => {
    if (isStarted) throw error;
  });
  if (!record) return ['does not start'];
  const differing = record.requirements.filter(({ id, verdict }) => verdicts.get(id) !== verdict);
  return turned.length > 0 ? turned.slice(0, 1) : differing.map(({ id }) => id);
}

/** No response is a matter of ROBUST-01; one that came too late, as this machine was busy, leaves a few others open beside it. */
function mayBeLate(killers: readonly string[]): boolean {
  return killers.includes('ROBUST-01') && killers.length <= 5;
}

/** What the survivors' file says of a mutant, and what kills it: by the standard run, and by the one that the file names. */
export interface MutantEntry {
  readonly mutant: Mutant;
  readonly killers: readonly string[];
  readonly triage?: Survivors | undefined;
  readonly killersElsewhere?: readonly string[];
}

/** What must be said or built before the measure is met; undefined if nothing. */
export function problemOf({ killers, triage, killersElsewhere }: Omit<MutantEntry, 'mutant'>) {
  if (killers.length > 0) return undefined;
  if (!triage) return 'survives, and survivors.yaml does not say why';
  return killersElsewhere?.length === 0 ? `survives under the settings "${triage.settings}", too` : undefined;
}

/** Judges mutants of a service, one after the other. */
export async function* judgeMutants(
  service: MutantService,
  mutants: readonly Mutant[],
  survivors: readonly Survivors[],
): AsyncGenerator<MutantEntry> {
  const triageOf = new Map(survivors.flatMap((entry) => entry.mutants.map((name) => [name, entry] as const)));
  const originals = new Map<RunName, Original>();
  const originalOf = async (name: RunName): Promise<Original> => {
    const original = originals.get(name) ?? (await judgeOriginal(service, name));
    originals.set(name, original);
    return original;
  };
  const killersIn = async (name: RunName, mutant: Mutant): Promise<readonly string[]> => {
    const original = await originalOf(name);
    const killers = await killersOf(service, mutant, name, original);
    return mayBeLate(killers) ? killersOf(service, mutant, name, original) : killers;
  };
  const { reached } = await originalOf('standard');
  const unreached = service.mutants.filter(({ number }) => !reached.has(number));
  for (const mutant of mutants) {
    const killers = await killersIn('standard', mutant);
    // Code that the run does not reach is invisible for the reason of what surrounds it most closely.
    const around = unreached.includes(mutant) ? unreached.filter((one) => encloses(one, mutant)) : [];
    const outwards = around.toSorted((one, other) => one.end - one.start - (other.end - other.start));
    const triage = [mutant, ...outwards].map(({ name }) => triageOf.get(name)).find(Boolean);
    const { settings = 'standard' } = triage ?? {};
    const isElsewhere = killers.length === 0 && settings !== 'standard';
    yield {
      mutant,
      killers,
      triage,
      ...(isElsewhere && { killersElsewhere: await killersIn(settings, mutant) }),
    };
  }
}

/** Some of the mutants, in their order. The same seed draws the same. */
function drawn(mutants: readonly Mutant[], size: number, seed: number): readonly Mutant[] {
  const length = Math.min(size, mutants.length);
  const some = fc.shuffledSubarray([...mutants], { minLength: length, maxLength: length });
  const chosen = new Set(new Draw(seed, 'mutants').one(some));
  return mutants.filter((mutant) => chosen.has(mutant));
}

/**
 * Judges mutants of the reference service; prints those that are not as they must be, and names of survivors that no mutant
 * has. Gives whether there was none.
 * @param size how many are drawn from the seed; all if undefined
 */
export async function proveMutants(size: number | undefined, seed = 1): Promise<boolean> {
  const survivors = readSurvivors();
  const service = await mutateReference();
  const chosen = size === undefined ? service.mutants : drawn(service.mutants, size, seed);
  const entries: MutantEntry[] = [];
  for await (const entry of judgeMutants(service, chosen, survivors)) {
    entries.push(entry);
    const { mutant, killers, triage } = entry;
    const problem = problemOf(entry);
    if (problem !== undefined)
      console.log(`NOT lib/reference/${mutant.file}:${mutant.line}\n      ${mutant.name}: ${problem}`);
    else if (killers.length > 0 && triage) console.log(`killed, and still in survivors.yaml: ${mutant.name}`);
  }
  for (const name of staleNames(service.mutants, survivors)) console.log(`stale in survivors.yaml: ${name}`);
  const survived = entries.filter(({ killers }) => killers.length === 0).length;
  console.log(
    `${count(entries.length, 'mutant')}: ${entries.length - survived} killed, ${survived} survived`,
  );
  return entries.every((entry) => problemOf(entry) === undefined);
}
