import { describe, expect, it } from 'vitest';
import type { Exchange } from '../http/exchange/exchange.js';
import type { NewPet } from '../reference/operations/animal.js';
import { withBehaviour } from '../reference/changes.js';
import type { ReferenceOptions } from '../reference/options.js';
import type { RunRecord } from '../record/record.js';
import type { Profile } from '../requirement/profile.js';
import { openIn } from './matrix.js';
import { proveAgainst, turnedIn } from './prove.js';

/** Responds in another order each time: what a run sends must not depend on it. */
const uneven: ReferenceOptions = withBehaviour(({ finish }) => ({
  async finish(...parts) {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 6));
    return finish(...parts);
  },
}));

/** The requests of each probe, in order, without the identifiers that the target assigned. */
async function requestsByPurpose(seed: number, profile: Profile): Promise<Map<string, string[]>> {
  const exchanges: Exchange[] = [];
  await proveAgainst(uneven, {
    settings: { seed, profile },
    listener: { exchange: (exchange) => exchanges.push(exchange) },
  });
  const inOrder = exchanges.toSorted((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)));
  const byPurpose = new Map<string, string[]>();
  for (const { purpose, request } of inOrder) {
    const path = new URL(request.url).pathname + new URL(request.url).search;
    const sent = `${request.method} ${path} ${authorizationOf(request)} ${request.body ?? ''}`;
    byPurpose.set(purpose, [...(byPurpose.get(purpose) ?? []), sent.replaceAll(assignedId, '$1…')]);
  }
  return byPurpose;
}

/** An identifier of at most three digits in a path or a body, or the same plus 2^64. */
const assignedId = /(\/pets\/[+-]?0?|"id":)(?:\d{1,3}(?!\d)|18446744073709551\d{3})/g;

function authorizationOf({ headers }: Exchange['request']): string {
  return headers.find(([name]) => name === 'Authorization')?.[1] ?? 'no key';
}

async function verdicts(seed: number): Promise<string> {
  const record: RunRecord = await proveAgainst({}, { settings: { seed } });
  return [record.verdict, ...record.requirements.map(({ id, verdict }) => `${id} ${verdict}`)].join('\n');
}

describe('the same seed', () => {
  it.each<Profile>(['quick', 'standard', 'thorough'])(
    'sends the same requests in the same order of each probe (%s)',
    async (profile) => {
      const once = await requestsByPurpose(4711, profile);
      const again = await requestsByPurpose(4711, profile);
      expect([...again.keys()].toSorted()).toEqual([...once.keys()].toSorted());
      for (const [purpose, requests] of once)
        expect([purpose, again.get(purpose)]).toEqual([purpose, requests]);
    },
  );
});

describe('a store that holds what runs of the same seed have left', () => {
  it.each<Profile>(['quick', 'standard'])('is judged as an empty one (%s)', async (profile) => {
    const animals: NewPet[] = [];
    const markers: unknown[] = [];
    for (let run = 0; run < 3; run += 1) {
      const record = await proveAgainst({ animals }, { settings: { profile } });
      expect([turnedIn(record), openIn(record)]).toEqual([[], []]);
      markers.push(record.leftovers[0]?.name.split(' ')[0]);
      animals.push(
        ...record.leftovers.map(({ name }) => ({ name, categoryId: 1n, status: 'pending' as const })),
      );
    }
    // Each run has its own marker.
    expect(new Set(markers).size).toBe(3);
  });
});

describe('another seed', () => {
  it('sends other requests', async () => {
    const one = await requestsByPurpose(1, 'standard');
    const other = await requestsByPurpose(2, 'standard');
    expect(other.get('CREATE-13')).not.toEqual(one.get('CREATE-13'));
    expect(other.get('LIST-02')).not.toEqual(one.get('LIST-02'));
  });

  it('comes to no other verdict', async () => {
    const [first, ...others] = await Promise.all([2, 3, 5, 7].map(verdicts));
    for (const other of others) expect(other).toBe(first);
  });
});
