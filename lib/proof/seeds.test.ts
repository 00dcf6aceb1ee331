import { describe, expect, it } from 'vitest';
import type { Exchange } from '../evidence/exchange.js';
import type { NewPet } from '../reference/operations/animal.js';
import { withBehaviour } from '../reference/changes.js';
import type { ReferenceOptions } from '../reference/options.js';
import { openIn, proveAgainst, turnedIn, type ProofOptions } from './prove.js';

/** Responds in another order each time: what a run sends must not depend on it. */
const uneven: ReferenceOptions = withBehaviour(({ finish }) => ({
  async finish(...parts) {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
    return finish(...parts);
  },
}));

/** The requests of each probe, in order, without the identifiers that the target assigned. */
async function requestsByPurpose(
  seed: number,
  settings: ProofOptions['settings'] = {},
): Promise<Map<string, string[]>> {
  const exchanges: Exchange[] = [];
  const record = await proveAgainst(uneven, {
    settings: { seed, ...settings },
    listener: { exchange: (exchange) => exchanges.push(exchange) },
  });
  const { only = [] } = settings;
  const open = openIn(record).filter((id) => only.length === 0 || only.includes(id));
  expect([turnedIn(record), open]).toEqual([[], []]);
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

describe('a seed', () => {
  it('sends the same requests of each probe; another one sends others, and comes to the same verdicts', async () => {
    const once = await requestsByPurpose(4711);
    expect(await requestsByPurpose(4711)).toEqual(once);
    const other = await requestsByPurpose(2);
    for (const id of ['CREATE-13', 'LIST-02']) expect(other.get(id)).not.toEqual(once.get(id));
  });

  it('draws the same sequences of commands, of which the thorough profile sends most', async () => {
    const thorough = { profile: 'thorough', only: ['LIST-08'] } as const;
    const once = await requestsByPurpose(4711, thorough);
    expect(await requestsByPurpose(4711, thorough)).toEqual(once);
    expect((await requestsByPurpose(1, thorough)).get('commands')).not.toEqual(once.get('commands'));
  });
});

it('a store that holds what runs of the same seed have left is judged as an empty one', async () => {
  const animals: NewPet[] = [];
  const markers: unknown[] = [];
  for (let run = 0; run < 3; run += 1) {
    const record = await proveAgainst({ animals }, { settings: { profile: 'quick' } });
    expect([turnedIn(record), openIn(record)]).toEqual([[], []]);
    markers.push(record.leftovers[0]?.name.split(' ')[0]);
    animals.push(
      ...record.leftovers.map(({ name }) => ({ name, categoryId: 1n, status: 'pending' as const })),
    );
  }
  // Each run has its own marker.
  expect(new Set(markers).size).toBe(3);
});
