import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../http/clock/clock.js';
import { SkippingClock } from '../http/clock/skipping-clock.js';
import { run } from '../run/conformance.js';
import type { RunRecord } from '../record/record.js';
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
        insecure: target.insecure,
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
      environment: {},
      ...settings,
    });
    const evidence = readFileSync(join(directory, 'exchanges.jsonl'), 'utf8');
    return { record, evidence };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Settings of a run against this fixture: a deadline as short as the fixture allows, and its clock. */
export function settingsFor({ wire, silent, takesTime }: HostileFixture): Parameters<typeof runAgainst>[1] {
  const mute = wire.failure?.kind === 'timeout' && wire.status === undefined;
  const stalls = wire.failure?.kind === 'timeout' || silent === true;
  return {
    target: { deadlineMs: mute ? 400 : stalls ? 2_000 : 60_000 },
    clock: takesTime === true ? systemClock : new SkippingClock(),
  };
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
