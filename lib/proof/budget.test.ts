import { describe, expect, it } from 'vitest';
import { manyAnimals } from '../reference/variants/listing-variants.js';
import { variants } from '../reference/variants/variants.js';
import { plans, type Plan } from '../specification/plan.js';
import type { RunRecord } from '../record/record.js';
import type { Profile } from '../requirement/profile.js';
import { catalogue, classOf } from '../specification/catalogue.js';
import { proveAgainst } from './prove.js';

async function runOf(profile: Profile, plan: Plan, maximumRequests?: number): Promise<RunRecord> {
  const settings = maximumRequests === undefined ? { profile } : { profile, maximumRequests };
  return proveAgainst({}, { settings, target: { plan } });
}

/** Functional MUSTs, with the verdict of each. */
function musts(record: RunRecord): Map<string, string> {
  const ids = catalogue.filter(({ id, level }) => classOf(id) === 'functional' && level === 'MUST');
  return new Map(
    ids.map(({ id }) => [id, record.requirements.find((row) => row.id === id)?.verdict ?? 'no row']),
  );
}

describe('the quick profile, against an empty store on the Free plan', () => {
  it('judges every functional MUST but LIST-05 within one minute, and waits for nothing', async () => {
    const record = await runOf('quick', plans.free);
    const verdicts = musts(record);
    expect(verdicts.get('LIST-05')).toBe('not-tested');
    verdicts.delete('LIST-05');
    expect([...verdicts].filter(([, verdict]) => verdict !== 'pass')).toEqual([]);
    expect(record.requests.sent).toBeLessThanOrEqual(plans.free.perMinute);
    expect(record.requests.waitedMs).toBe(0);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('with the seed %i, too', async (seed) => {
    const record = await proveAgainst(
      {},
      { settings: { profile: 'quick', seed }, target: { plan: plans.free } },
    );
    expect(record.requests.sent).toBeLessThanOrEqual(plans.free.perMinute);
    expect([...musts(record).values()].filter((verdict) => verdict !== 'pass')).toEqual(['not-tested']);
  });
});

describe('the quick profile, against a store that holds animals', () => {
  it.each([20, 60, 101, 500])(
    'of %i keeps within the minute, too, and judges LIST-05 if it can',
    async (size) => {
      const record = await proveAgainst(
        { animals: manyAnimals(size) },
        { settings: { profile: 'quick' }, target: { plan: plans.free } },
      );
      const open = [...musts(record)].filter(([, verdict]) => verdict !== 'pass');
      expect(open).toEqual(size > 100 ? [] : [['LIST-05', 'not-tested']]);
      expect(record.requests.sent).toBeLessThanOrEqual(plans.free.perMinute);
      expect(record.requests.waitedMs).toBe(0);
    },
  );
});

describe('the quick profile, against services with habits that cost requests', () => {
  it.each([
    'body-id-refused',
    'unknown-fields-refused',
    'oldest-first',
    'known-categories-only-in-an-empty-store',
    'filter-lags',
  ])('%s', async (name) => {
    const variant = variants.find((one) => one.name === name);
    expect(variant).toBeDefined();
    const record = await proveAgainst(variant?.options ?? {}, {
      settings: { profile: 'quick' },
      target: { plan: plans.free },
    });
    expect(record.requests.sent).toBeLessThanOrEqual(plans.free.perMinute);
    expect(record.requests.waitedMs).toBe(0);
  });
});

describe('the standard profile', () => {
  it('judges everything in at most 300 requests', async () => {
    const record = await runOf('standard', plans.business);
    expect(record.verdict).toBe('conformant');
    expect([...musts(record)].filter(([, verdict]) => verdict !== 'pass')).toEqual([]);
    expect(record.requests.sent).toBeLessThanOrEqual(300);
  });
});

describe('a budget', () => {
  it.each([0, 1, 7, 40, 150])('of %i requests is kept to the last one', async (most) => {
    const record = await runOf('standard', plans.business, most);
    expect(record.requests.sent).toBe(most);
    expect(record.requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')).toEqual([]);
    expect(record.verdict).toBe('incomplete');
  });

  it('that is spent leaves its reason with what was not judged, and no pass that rests on a part', async () => {
    const record = await runOf('standard', plans.business, 150);
    const left = record.requirements.filter(
      ({ verdict, selected }) => verdict === 'not-tested' && selected === true,
    );
    expect(left.length).toBeGreaterThan(0);
    expect(left.filter(({ reason }) => reason?.includes('150') !== true)).toEqual([]);
    const everywhere = record.requirements.find(({ id }) => id === 'ROBUST-01');
    expect(everywhere?.verdict).toBe('inconclusive');
  });
});
