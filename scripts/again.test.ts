import { EventEmitter } from 'node:events';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../lib/http/clock/clock.js';
import type { RunRecord } from '../lib/evidence/record/record.js';
import type { Settings } from '../lib/run/settings.js';
import { plans } from '../lib/specification/plan.js';
import { conformingRecord } from '../reports/testing/sample-record.js';
import { changesOf, watchRounds } from './again.js';

const whole: Settings = {
  target: {
    name: 'target',
    baseUrl: 'http://127.0.0.1:9/v1',
    apiKey: 'key-of-the-test',
    plan: plans.free,
    planGiven: true,
    consistencyMs: 0,
    deadlineMs: 1_000,
    readOnly: false,
  },
  profile: 'standard',
  limits: 'none',
  only: [],
  except: ['RATE'],
  strict: false,
  seed: 1,
  command: 'test',
  clock: systemClock,
};

/** A record in which these requirements failed. */
function failing(...ids: readonly string[]): RunRecord {
  const record = conformingRecord();
  return {
    ...record,
    requirements: record.requirements.map((one) =>
      ids.includes(one.id) ? { ...one, verdict: 'fail' } : one,
    ),
  };
}

/** What was judged in each round, if the rounds come out like this and a change follows each but the last. */
async function rounds(
  records: ReadonlyArray<RunRecord | undefined>,
  only: readonly string[] = [],
): Promise<{ judged: string[]; told: string[]; code: number }> {
  const judged: string[] = [];
  const told: string[] = [];
  const files = new EventEmitter();
  const controller = new AbortController();
  vi.spyOn(process.stderr, 'write').mockImplementation((line) => {
    told.push(String(line).replace(' again (Ctrl-C: end)\n', ''));
    return true;
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const judge = async (settings: Settings) => {
    const record = records[judged.length];
    judged.push(`${settings.only.join(',') || 'all'}${settings.overwrite === true ? ' overwrites' : ''}`);
    files.emit('all', 'change', `file of round ${judged.length}`);
    if (judged.length === records.length) controller.abort();
    return { code: judged.length, record };
  };
  const code = await watchRounds(whole, only, files, controller.signal, judge);
  return { judged, told, code };
}

describe('rounds of a watched run', () => {
  test('repeat what failed until it passes, and then everything at once', async () => {
    const outcomes = [failing('LIST-02', 'AUTH-01'), failing('AUTH-01'), failing(), failing()];
    expect(await rounds(outcomes)).toEqual({
      judged: ['all', 'AUTH-01,LIST-02 overwrites', 'AUTH-01 overwrites', 'all overwrites'],
      told: [
        'Watching: a change runs 2 requirements',
        'Watching: a change runs 1 requirement',
        'Watching: a change runs everything',
      ],
      code: 4,
    });
  });

  test('keep to what is repeated while the service does not start', async () => {
    const { judged } = await rounds([failing('LIST-02'), undefined, failing('LIST-02')]);
    expect(judged).toEqual(['all', 'LIST-02 overwrites', 'LIST-02 overwrites']);
  });

  test('may begin with what failed in an earlier run', async () => {
    const { judged } = await rounds([failing(), failing()], ['LIST-02']);
    expect(judged).toEqual(['LIST-02', 'all overwrites']);
  });
});

describe('a wait for a change', () => {
  const waiting = () => {
    const files = new EventEmitter();
    const controller = new AbortController();
    const changed = changesOf(files);
    return {
      change: (path: string) => files.emit('all', 'change', path),
      interrupt: () => controller.abort(),
      wait: async () => changed(controller.signal),
    };
  };

  test('ends with a change, all that belongs to it, or an interruption', async () => {
    const { change, interrupt, wait } = waiting();
    const changed = wait();
    change('a.ts');
    change('b.ts');
    expect(await changed).toBe(true);
    const interrupted = wait();
    interrupt();
    expect(await interrupted).toBe(false);
    expect(await wait()).toBe(false);
  });

  test('counts what changed during a round, but not a file that the service writes in each', async () => {
    const { change, interrupt, wait } = waiting();
    change('data.json');
    expect(await wait()).toBe(true);
    change('data.json');
    const second = wait();
    interrupt();
    expect(await second).toBe(false);
  });
});
