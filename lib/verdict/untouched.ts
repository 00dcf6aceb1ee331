import { valueText, type Animal } from '../evidence/animal.js';
import type { Evidence } from '../evidence/evidence.js';
import { petFields, type Exchange } from '../evidence/exchange.js';
import { check, left, open, type Check } from './check.js';
import type { Probe } from './requirement.js';

/**
 * Checks that requests which must not change an animal have not: it is there, shows nothing of what was sent, and getPet
 * shows it as before. It is compared with what getPet showed: how animals are shown is for others to judge.
 * @param by names the requests: `a body with its id`
 */
export function untouched(evidence: Evidence, id: string, attempts: readonly Exchange[], by: string): Check {
  const { pets, fetches } = evidence;
  const subject = 'whether the animal is as before';
  const looks = fetches.all.filter(({ petId }) => petId === id);
  const first = Math.min(...attempts.map(({ sentAt }) => sentAt));
  const last = Math.max(...attempts.map(({ endedAt }) => endedAt));
  const before = looks.findLast(({ endedAt }) => endedAt <= first);
  const after = looks.findLast(({ sentAt }) => sentAt >= last);
  if (pets.sameIds.some(([{ animal }]) => animal?.id === id)) return left('CREATE-04', subject);
  if ((before ?? fetches.all.find(({ status }) => status === 200))?.status !== 200)
    return left('GET-04', subject);
  if (!after) return open(`${subject}: getPet was not requested`);
  if (!after.animal && after.status !== 404)
    return open(`${subject}: getPet responded ${String(after)}`, 'GET-01');
  const former = before?.animal?.shown ?? pets.created.get(id)?.animal.shown ?? {};
  const { name, status } = after.animal?.shown ?? {};
  const isTaken = attempts.some(({ nameSent, members }) => {
    const isStatus = members.status !== undefined && members.status !== former.status;
    return nameSent === name || (isStatus && members.status === status);
  });
  const isAsBefore = after.status === 200 && (!before || before.showsSameAs(after));
  if (!isAsBefore && !isTaken && before && !showsSteadily(evidence)) return left('GET-01', subject);
  return check(isAsBefore && !isTaken, [...(before ? [before] : []), after], () => ({
    message: `${by} ${after.status === 200 ? 'changed' : 'removed'} an animal`,
    expected: `the animal as before: ${petFields.map((field) => `${field} ${valueText(former[field])}`).join(', ')}`,
  }));
}

/** Whether getPet shows animals that nothing tries to change the same way each time. */
function showsSteadily({ fetchesOfOwn, facts }: Evidence): boolean {
  return fetchesOfOwn.every(([one, { creation, showings }]) =>
    one.status === 404
      ? one.sentAt < creation.endedAt + facts.consistencyMs
      : showings.filter(({ by }) => by.operation === 'getPet').length < 2,
  );
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
  if (after.status !== 200 || (before && !before.showsSameAs(after)))
    await probe.getCreated((await store.got()).animal?.id ?? (await store.animal()).id);
}
