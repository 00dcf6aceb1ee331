import { petFields, showsSame, valueText, type Animal } from '../evidence/animal.js';
import type { Evidence } from '../evidence/evidence.js';
import type { Exchange } from '../evidence/exchange.js';
import { check, left, open, type Check } from './check.js';
import type { Probe } from '../session/probe.js';

/**
 * Checks that requests which must not change an animal have not: getPet shows it as it did before, or, if it was not
 * requested before, as the creation returned it. How animals are shown is for others to judge.
 * @param by names the requests: `a body with its id`
 */
export function untouched(evidence: Evidence, id: string, attempts: readonly Exchange[], by: string): Check {
  const { pets, fetches } = evidence;
  const subject = 'whether the animal is as before';
  const looks = fetches.all.filter(({ petId }) => petId === id);
  const first = Math.min(...attempts.map(({ sentAt }) => sentAt));
  const last = Math.max(...attempts.map(({ endedAt }) => endedAt));
  const look = looks.findLast(({ endedAt }) => endedAt <= first);
  const before = look ?? pets.created.get(id)?.creation;
  const after = looks.findLast(({ sentAt }) => sentAt >= last);
  if (pets.sameIds.some(([{ animal }]) => animal?.id === id)) return left('CREATE-04', subject);
  if (!before?.animal || !evidence.serves('getPet')) return left('GET-04', subject);
  if (!after) return open(`${subject}: getPet was not requested`);
  if (!after.animal && after.status !== 404)
    return open(`${subject}: getPet responded ${String(after)}`, 'GET-01');
  const isAsBefore = showsSame(before.animal, after.animal);
  if (!isAsBefore && !showsSteadily(evidence, look === undefined)) return left('GET-01', subject);
  const { shown } = before.animal;
  return check(isAsBefore, look ? [look, after] : after, () => ({
    message: `${by} ${after.status === 200 ? 'changed' : 'removed'} an animal`,
    expected: `the animal as before: ${petFields.map((field) => `${field} ${valueText(shown[field])}`).join(', ')}`,
  }));
}

/** Whether getPet shows animals that nothing tries to change the same way each time, or as their creations returned them. */
function showsSteadily({ fetchesOfOwn, facts }: Evidence, asCreated: boolean): boolean {
  return fetchesOfOwn.every(([one, { creation, fetched }]) => {
    if (one.status === 404) return one.sentAt < creation.endedAt + facts.consistencyMs;
    return asCreated ? fetched.every(({ by }) => showsSame(creation.animal, by.animal)) : fetched.length < 2;
  });
}

/**
 * Sends what must not change an animal that it creates, between looks at it. If it has changed, another one is looked at:
 * whether getPet shows an animal that nothing touched the same way twice.
 * @param looksBefore otherwise a change shows only by the values that were sent
 */
export async function sendAround(
  probe: Probe,
  looksBefore: boolean,
  send: (victim: Animal) => Promise<unknown>,
): Promise<void> {
  const { api, facts, store } = probe;
  const victim = (await api.createPet(await probe.newPetOfOtherStatus())).created;
  if (!victim) return;
  const isServed = !facts.removalDatePassed;
  const before = looksBefore && isServed ? await probe.getCreated(victim.id) : undefined;
  await send(victim);
  if (!isServed) return;
  const after = await probe.getCreated(victim.id);
  if (after.status !== 200 || (before && !showsSame(before.animal, after.animal)))
    await probe.getCreated((await store.got()).animal?.id ?? (await store.animal()).id);
}
