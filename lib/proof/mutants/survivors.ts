import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { packageFile } from '../../run/suite-name.js';
import type { Mutant } from './mutant.js';
import { otherSettingsNames } from './proof-settings.js';

const reason = { because: z.string().min(1), mutants: z.array(z.string()).min(1) };

/** Mutants that survive the standard run for one reason. */
const survivorsSchema = z.discriminatedUnion('class', [
  /** No response differs. */
  z.strictObject({ class: z.literal('equivalent'), ...reason }),
  /** Responses differ, and the specification allows both. */
  z.strictObject({ class: z.literal('allowed'), ...reason }),
  /** A run with these settings kills them. */
  z.strictObject({ class: z.literal('other-settings'), settings: z.enum(otherSettingsNames), ...reason }),
]);
export type Survivors = z.infer<typeof survivorsSchema>;

/** The triaged survivors, as they are checked in. */
export function readSurvivors(): readonly Survivors[] {
  const text = readFileSync(packageFile('lib/proof/mutants/survivors.yaml'), 'utf8');
  return z.array(survivorsSchema).parse(parse(text));
}

/** The names in the file that no mutant has any more. */
export function staleNames(mutants: readonly Mutant[], survivors: readonly Survivors[]): string[] {
  const names = new Set(mutants.map(({ name }) => name));
  return survivors.flatMap((entry) => entry.mutants).filter((name) => !names.has(name));
}
