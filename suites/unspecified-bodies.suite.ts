import { unlikelyIdentifier } from '../lib/draw/values.js';
import { valueText } from '../lib/evidence/animal.js';
import type { Exchange } from '../lib/evidence/exchange.js';
import { firstValueOf } from '../lib/http/headers/header-list.js';
import { petStatuses } from '../lib/specification/body-schema.js';
import { fullPage } from '../lib/specification/page-size.js';
import { count } from '../lib/explain/count.js';
import { requirement } from '../lib/verdict/requirement.js';
import { sendAround, untouched } from '../lib/verdict/untouched.js';
import { check, observed, passed } from '../lib/verdict/check.js';
import { showsPet } from '../lib/verdict/verbs.js';

/** From here on no service that counts its animals gives an identifier by itself. */
const leastUnlikely = 2 ** 53;

requirement('CREATE-14', {
  needs: 'createPet',
  // Quick sends the existing identifier alone, and tells a change by the values that were sent.
  room: { quick: false, standard: true, thorough: true },
  async probe(probe, isWhole) {
    const { store, api, draw } = probe;
    await sendAround(probe, isWhole, async ({ id, shown }) => {
      const body = await probe.newPetOfOtherStatus();
      const kept = (await store.accepted()).status;
      const another = petStatuses.find((one) => one !== shown.status && one !== kept) ?? kept;
      await api.createPet({ ...body, ...(body.status && { status: another }), id: BigInt(id) });
      if (isWhole)
        await api.createPet({ ...(await probe.newPetOfOtherStatus()), id: draw.one(unlikelyIdentifier) });
    });
  },
  *rule(evidence) {
    const { creations, pets, facts } = evidence;
    for (const one of creations.unspecifiedOnlyBy('further member')) {
      const { id } = one.members;
      const victim = pets.created.get(String(id));
      const isExisting = victim !== undefined && victim.creation.endedAt <= one.sentAt;
      if (!isExisting && !(Number(id) >= leastUnlikely)) continue;
      const { status = 0 } = one;
      const what = isExisting ? 'the identifier of an existing animal' : 'a new identifier';
      if (status >= 400 && status < 500 && status !== 401) yield passed;
      else yield* showsPet(one, `a body with ${what}`, creations.success);
      const isTaken = one.created?.id === String(id);
      yield check(!isTaken, one, () => ({
        message: `the target took ${what} from the body`,
        expected: 'an `id` that the service assigns',
        received: `\`id\` ${String(id)}`,
        pointer: '/id',
        // A new identifier is in use from now on.
        reproduce: isExisting ? undefined : one.curl.replace(String(id), String(BigInt(String(id)) + 1n)),
      }));
      if (isExisting && !isTaken && !facts.removalDatePassed)
        yield untouched(evidence, victim.id, [one], 'a body with its `id`');
    }
  },
});

requirement('CREATE-15', {
  phase: 'last',
  notInQuick: 'it observes',
  async probe({ api, name, newPetOfOtherStatus }) {
    const { categoryId, status } = await newPetOfOtherStatus();
    const whole = (given: string): Record<string, unknown> => ({ name: given, categoryId, status });
    const text = (names: string): string => `{${names},"categoryId":${categoryId},"status":"${status}"}`;
    const sent: ReadonlyArray<Parameters<typeof api.createPet>> = [
      [{ name: name(), categoryId }],
      [{ ...whole(name()), colour: 'brown' }],
      [whole('')],
      [whole(`${name()} `.padEnd(300, 'x'))],
      [whole(`${name()} `.padEnd(10_000, 'x'))],
      [whole(`${name()} \u0007\u001b[1m\u0000`)],
      [whole(` ${name()} `)],
      [text(`"name":"${name()} first","name":"${name()} second"`)],
      [whole(`${name()} \u00e9`), { latin1: true }],
      [whole(name()), { contentType: null }],
      [whole(name()), { contentType: 'text/plain' }],
      [whole(name()), { contentType: 'application/json; charset=utf-8' }],
    ];
    await Promise.all(sent.map(([body, options]) => api.createPet(body, options)));
    // Many services accept it, and can't write it again: no listing may succeed from then on.
    await api.createPet(text(`"name":"${name()} \\ud800"`));
    await api.listPets({ status, limit: fullPage });
  },
  *rule({ creations, listings }) {
    const [control] = creations.accepted;
    if (control) yield observed('`Location` on creation', control.header('Location') ?? 'none', control);
    const seen = new Set<string>();
    for (const one of creations.all.toSorted((first, second) => first.sentAt - second.sentAt)) {
      const subject = subjectOf(one);
      if (subject === undefined || seen.has(subject)) continue;
      seen.add(subject);
      const behaviour = one.refusal ?? treatmentOf(one);
      const behind = listings.specified.find(({ sentAt }) => sentAt >= one.endedAt);
      const isSpoilt = one.unspecified.includes('lone surrogate') && behind && behind.status !== 200;
      const spoilt = `; the listing behind it gets ${behind?.status ?? 'no response'}: remove the animal ${one.animal?.id ?? valueText(one.members.name)}, which no listing may be able to show`;
      yield observed(subject, isSpoilt ? behaviour + spoilt : behaviour, one, ...(isSpoilt ? [behind] : []));
    }
  },
});

/** Names that hardly any service has room for; whether shorter ones are kept exactly is judged. */
const longName = 300;

/** What is observed of a body: what is unspecified in it, if that is one thing. */
function subjectOf(one: Exchange): string | undefined {
  const [what, ...others] = one.unspecified;
  if (one.faults.length + others.length > 0 || what === 'header') return undefined;
  if (what === undefined) return 'status' in one.members ? undefined : '`status` left out';
  if (what === 'further member') return 'id' in one.members ? undefined : 'an additional property';
  if (what === 'long name') {
    const { length } = Array.from(String(one.members.name));
    return length < longName ? undefined : `a name of ${count(length, 'character')}`;
  }
  if (what === 'media type') {
    const type = firstValueOf(one.request.headers, 'Content-Type');
    return type === undefined ? 'no Content-Type' : `Content-Type ${type}`;
  }
  return what;
}

/** What the target made of a body that it accepted. */
function treatmentOf({ status, animal, members }: Exchange): string {
  if (!animal) return `${status ?? ''} without a Pet`;
  const fields = Object.keys({ ...members, status: '' }).filter((field) => field !== 'categoryId');
  const shown = fields.map((field) => {
    const text = valueText(animal.shown[field]);
    return `\`${field}\` ${text.length > 60 ? `of ${text.length - 2} characters` : text}`;
  });
  return `created with ${shown.join(', ')}`;
}
