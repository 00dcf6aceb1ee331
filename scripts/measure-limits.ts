import { measureReference } from '../lib/limits/testing/against-reference.js';
import { burstFaults } from '../lib/reference/faults/limits/burst-faults.js';
import type { ReferenceOptions } from '../lib/reference/options.js';
import { limitVariants } from '../lib/reference/variants/limit-variants.js';

/**
 * `node scripts/dev.mjs measure-limits [race|variants] [RUNS]`: the figures that the limit checks are held to.
 * race: how often racy limiters are caught, and an atomic one accused. variants: whether any verdict on a conforming
 * limiter differs from run to run.
 */

const [what = 'race', runs = '20'] = process.argv.slice(2);
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const anyMoment = (): number => 1_790_000_000_000 + Math.floor(Math.random() * 600_000);

async function verdictOfBurst(options: ReferenceOptions): Promise<string> {
  const { measurement } = await measureReference(options, { begin: anyMoment(), perDay: 100_000 });
  return measurement.requirements.find(({ id }) => id === 'LIMIT-03')?.verdict ?? 'missing';
}

async function race(count: number): Promise<void> {
  const racy = burstFaults
    .filter(({ name }) => name.startsWith('racy'))
    .map(({ name, options }) => ({ name, options }));
  for (const { name, options } of [...racy, { name: 'atomic', options: {} }]) {
    const verdicts: string[] = [];
    for (let run = 0; run < count; run += 1) verdicts.push(await verdictOfBurst(options));
    const failed = verdicts.filter((verdict) => verdict === 'fail').length;
    print(`${name}: LIMIT-03 fails in ${failed} of ${count} runs`);
  }
}

async function variants(count: number): Promise<void> {
  for (const { name, options, ahead = 0 } of limitVariants) {
    const seen = new Set<string>();
    for (let run = 0; run < count; run += 1) {
      const { measurement } = await measureReference(options, { begin: anyMoment(), perDay: 100_000, ahead });
      seen.add(measurement.requirements.map(({ id, verdict }) => `${id} ${verdict}`).join(', '));
    }
    const accused = [...seen].some((verdicts) => /fail|warn/.test(verdicts));
    print(
      `${name}: ${seen.size === 1 ? 'the same verdicts' : `${seen.size} different`} in ${count} runs${accused ? ', ACCUSED' : ''}`,
    );
  }
}

switch (what) {
  case 'variants':
    await variants(Number(runs));
    break;
  default:
    await race(Number(runs));
}
