import type { ReferenceOptions } from '../../reference/options.js';
import { removalDate } from '../../specification/catalogue.js';
import { daySettings, limitSettings, type ProofOptions } from '../prove.js';

/** How a service is set up and judged. */
export interface ProofSettings {
  readonly options: ReferenceOptions;
  readonly proof: ProofOptions;
}

/** The standard run, by which mutants are judged. */
export const standardSettings: ProofSettings = { options: {}, proof: {} };

/** Other settings, under which a survivor of the standard run may be visible. */
export const otherSettings = {
  /** `--limits`, on the Free plan. */
  limits: { options: {}, proof: limitSettings },
  /** `--limits=day`, on a small plan. */
  day: { options: {}, proof: { ...daySettings, settings: { limits: 'day', only: ['RATE', 'LIMIT'] } } },
  /** From the day on which getPet is removed. */
  removed: { options: { now: () => removalDate }, proof: {} },
} as const satisfies Readonly<Record<string, ProofSettings>>;

export type OtherSettings = keyof typeof otherSettings;
export const otherSettingsNames = Object.keys(otherSettings) as [OtherSettings, ...OtherSettings[]];
