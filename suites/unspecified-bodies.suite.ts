import { unlikelyIdentifier } from '../lib/draw/id-values.js';
import { notInQuick } from '../lib/requirement/profile.js';
import { requirement } from '../lib/requirement/requirement.js';
import { valueText } from '../lib/session/animal.js';
import type { CreateOptions, RawBody } from '../lib/session/api.js';
import type { ApiResponse } from '../lib/session/api-response.js';
import { judgeUntouched, type Attempt } from '../lib/session/compare-pets.js';
import { createdAnimal, getCreated, judgeCreated, successStatuses } from '../lib/session/creation.js';
import { petStatuses } from '../lib/specification/body-schema.js';
import { writeJson } from '../lib/specification/json-value.js';
import { Inconclusive } from '../lib/verdict/outcome.js';

/** What a service assigns itself, and what it makes of bodies on which the specification is silent. */

const leftByCreate14 = {
  'CREATE-04': 'two creations returned the `id` of the existing animal',
  'GET-01': 'getPet does not show an unchanged animal the same way twice',
  'GET-04': 'getPet serves no animal',
} as const;

requirement(
  'CREATE-14',
  { leavesTo: leftByCreate14, room: { quick: false, standard: true, thorough: true } },
  // Quick sends the existing identifier alone, and tells a change by the values that were sent.
  async (probe, isWhole) => {
    const { judgement, store, api, draw, facts } = probe;
    const body = await probe.newPetOfOtherStatus();
    const victimResponse = await api.createPet(body);
    const victim = createdAnimal(victimResponse);
    if (!victim) {
      judgement.leaveOpen(
        new Inconclusive(
          `the animal to be overwritten was not created: ${String(victimResponse)}`,
          'CREATE-01',
        ),
      );
      return;
    }
    const success = successStatuses(victimResponse);
    const before = isWhole && !facts.removalDatePassed ? await getCreated(probe, victim.id) : undefined;
    const brought = [BigInt(victim.id), ...(isWhole ? [draw.one(unlikelyIdentifier)] : [])];
    const kept = (await store.accepted()).body.status;
    const status = petStatuses.find((other) => other !== body.status && other !== kept) ?? kept;
    const attempts: Attempt[] = [];
    for (const id of brought) {
      const existing = String(id) === victim.id;
      const attempt = {
        ...(await probe.newPetOfOtherStatus()),
        ...(existing && body.status !== undefined && { status }),
      };
      if (existing) attempts.push(attempt);
      const response = await api.createPet({ ...attempt, id }, { unspecified: true });
      const what = existing ? 'the identifier of an existing animal' : 'a new identifier';
      if (response.status === 401) judgement.leaveTo('AUTH-04', `a body with ${what}`);
      else if (response.status !== undefined && response.status >= 400 && response.status < 500)
        judgement.held();
      else {
        const animal = judgeCreated(judgement, response, `a body with ${what}`, success);
        if (!animal) continue;
        judgement.check(animal.id !== String(id), response, () => ({
          message: `the target took ${what} from the body`,
          expected: 'an `id` that the service assigns',
          received: `\`id\` ${animal.id}`,
          pointer: '/id',
          // A new identifier is in use from now on.
          reproduce: existing ? undefined : response.curl.replace(String(id), String(id + 1n)),
        }));
      }
    }
    if (facts.removalDatePassed) return;
    if (store.knownPets.isAmbiguous(victim.id)) return judgement.leaveTo('CREATE-04');
    const subject = 'whether the existing animal is untouched';
    if ((await store.got()).status !== 200) return judgement.leaveTo('GET-04', subject);
    const after = await getCreated(probe, victim.id);
    if (after.status !== 200 && after.status !== 404)
      return judgement.leaveOpen(`${subject}: getPet responded ${String(after)}`);
    await judgeUntouched(probe, { created: victim, before, after, by: 'a body with its `id`' }, attempts);
  },
);

requirement('CREATE-15', { phase: 'last', room: notInQuick('it observes') }, async (probe) => {
  const { store, judgement, api, name } = probe;
  const { response: control } = await store.accepted();
  const { categoryId, status } = await probe.newPetOfOtherStatus();
  judgement.observe('`Location` on creation', control.header('Location') ?? 'none', control);
  const object = (own: string): object => ({ name: own, categoryId, status });
  const text = (names: string): string => `{${names},"categoryId":${categoryId},"status":"${status}"}`;
  const cases: Array<
    [subject: string, body: (name: string) => unknown, options?: CreateOptions & Pick<RawBody, 'latin1'>]
  > = [
    ['`status` left out', (own) => ({ name: own, categoryId })],
    ['an additional property', (own) => ({ ...object(own), colour: 'brown' })],
    ['an empty name', () => object('')],
    ['a name of 300 characters', (own) => object(`${own} `.padEnd(300, 'x'))],
    ['a name of 10,000 characters', (own) => object(`${own} `.padEnd(10_000, 'x'))],
    ['a name with control characters', (own) => object(`${own} \u0007\u001b[1m\u0000`)],
    ['a name with the lone surrogate `\\ud800`', (own) => text(`"name":"${own} \\ud800"`)],
    ['a name with outer space', (own) => object(` ${own} `)],
    ['a duplicate key', (own) => text(`"name":"${own} first","name":"${own} second"`)],
    ['bytes that are not UTF-8', (own) => object(`${own} \u00e9`), { latin1: true }],
    ['no Content-Type', object, { contentType: null }],
    ['Content-Type text/plain', object, { contentType: 'text/plain' }],
    [
      'Content-Type application/json; charset=utf-8',
      object,
      { contentType: 'application/json; charset=utf-8' },
    ],
  ];
  await Promise.all(
    cases.map(async ([subject, bodyOf, options]) => {
      const own = name();
      const textOf = (as: string): string => {
        const sent = bodyOf(as);
        return typeof sent === 'string' ? sent : writeJson(sent);
      };
      const again = (): string => textOf(`${own} again`);
      const response = await api.createPetFrom(
        { text: textOf(own), again, latin1: options?.latin1 === true },
        { ...options, unspecified: true },
      );
      judgement.observe(subject, response.refusal ?? treatmentOf(subject, response), response);
    }),
  );
});

/** What the target made of a body that it accepted, as far as the case is about it. */
function treatmentOf(subject: string, { status, animal }: ApiResponse): string {
  if (!animal) return `${status ?? ''} without a Pet`;
  const { shown } = animal;
  if (subject.startsWith('`status`')) return `created with \`status\` ${valueText(shown.status)}`;
  if (subject.startsWith('an additional'))
    return 'colour' in shown ? 'created, the property is returned' : 'created, the property is dropped';
  const text = valueText(shown.name);
  return `created with \`name\` ${text.length > 60 ? `of ${text.length - 2} characters` : text}`;
}
