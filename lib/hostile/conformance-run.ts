import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SkippingClock } from '../http/clock/testing/skipping-clock.js';
import { run } from '../run/conformance.js';
import type { RunRecord } from '../evidence/record/record.js';
import type { Settings } from '../run/settings.js';
import { plans } from '../specification/plan.js';
import { hostileKey, hostilePlan, type HostileFixture, type HostileTarget } from './fixture.js';

/** A whole run against a hostile target, with the files that it wrote. */
export interface HostileRun {
  readonly record: RunRecord;
  /** The text of `exchanges.jsonl`. */
  readonly evidence: string;
}

/** Runs the suite against a target that is served already. */
export async function runAgainst(
  target: HostileTarget,
  {
    target: given,
    ...settings
  }: Partial<Omit<Settings, 'target'>> & { target?: Partial<Settings['target']> } = {},
): Promise<HostileRun> {
  const directory = mkdtempSync(join(tmpdir(), 'hostile-'));
  try {
    const record = await run({
      target: {
        name: 'hostile',
        baseUrl: target.baseUrl,
        apiKey: hostileKey,
        plan: plans[hostilePlan],
        planGiven: true,
        consistencyMs: 0,
        deadlineMs: 8_000,
        readOnly: false,
        ca: target.ca,
        ...given,
      },
      profile: 'quick',
      limits: 'none',
      only: [],
      except: [],
      strict: false,
      seed: 7,
      directory,
      command: 'npm test',
      clock: new SkippingClock(),
      ...settings,
    });
    const evidence = readFileSync(join(directory, 'exchanges.jsonl'), 'utf8');
    return { record, evidence };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A deadline as short as the fixture allows: only a response that never ends is given up, and not before it began. */
export function deadlineFor({ status, failure, silent }: HostileFixture): number {
  if (failure?.kind !== 'timeout' && silent !== true) return 60_000;
  return status === undefined && silent !== true ? 400 : 1_000;
}

/** Every sentence of a record that explains a verdict. */
export function explanationsOf({ requirements, run: { stopped }, notes, requests }: RunRecord): string {
  return [
    stopped,
    ...(notes ?? []),
    ...(requests.repeated ?? []).map(({ reason }) => reason),
    ...requirements.flatMap(({ reason, findings, notes: remarks }) => [
      reason,
      ...(remarks ?? []),
      ...findings.flatMap(({ message, expected, received }) => [message, expected, received]),
    ]),
  ]
    .filter((text) => text !== undefined)
    .join('\n');
}

/** The ids that have this verdict. */
export function idsWith(
  { requirements }: RunRecord,
  ...verdicts: RunRecord['requirements'][number]['verdict'][]
): string[] {
  return requirements.filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id);
}
