import { requirement } from '../lib/verdict/requirement.js';
import { describeAnimal, valueText } from '../lib/evidence/animal.js';
import { sendCommands, sequences } from '../lib/session/commands.js';
import { reproduceInTurn } from '../lib/verdict/reproduce.js';
import { sideEffects } from '../lib/session/side-effects.js';
import { repeated } from '../lib/evidence/curl.js';
import type { Evidence } from '../lib/evidence/evidence.js';
import type { Pet } from '../lib/evidence/pets.js';
import type { Omission } from '../lib/evidence/presence.js';
import { count } from '../lib/explain/count.js';
import { check, failed, left, observed, open, passed, type Check } from '../lib/verdict/check.js';
import { shownAsCreated } from '../lib/verdict/creation-checks.js';

// Sent when the store is full: whether a page has room shows in how long the others were.
requirement('LIST-08', {
  phase: 'whole run',
  room: { quick: 0, standard: 0, thorough: sequences },
  async probe(probe, most) {
    await sendCommands(probe, most);
    await sideEffects(probe);
  },
  *rule(evidence) {
    const { presence, pets, listings } = evidence;
    for (const _ of [...presence.complete, ...presence.shown]) yield passed;
    // What no listing shows is not missing because of a filter.
    const everywhere = new Set(
      presence.omissions.flatMap(({ page, missing }) => (page.status === undefined ? missing : [])),
    );
    for (const omission of presence.omissions) {
      const isOfFilter = omission.missing.some((pet) => !everywhere.has(pet));
      if (omission.page.status === undefined || isOfFilter) yield missingFrom(omission, evidence);
    }
    if (presence.omissions.length > 0 || pets.created.size === 0) return;
    const listed = new Set(listings.pages.map(({ status }) => status));
    for (const status of new Set(listings.specified.map(({ query }) => query.get('status') ?? undefined)))
      if (!listed.has(status))
        yield left('LIST-01', status === undefined ? 'the listing' : `\`status=${status}\``);
    if (presence.shown.size === 0)
      yield open(
        'the created animals are on no page: the pages are full, and they may be on later ones. Empty the store, and run again',
      );
  },
});

/** Creations of missing animals that a finding shows. */
const missingShown = 5;

function missingFrom({ page: { status, by }, missing, expected }: Omission, evidence: Evidence): Check {
  const shown = missing.slice(0, missingShown);
  const [first] = shown;
  const creations = shown.map(({ creation }) => creation);
  return failed([...creations, by], {
    message: `a created animal is missing from ${status === undefined ? 'the listing' : `the listing with \`status=${status}\``}`,
    expected: `all ${count(expected, 'animal')} that ${status === undefined ? 'were created' : `creations returned with this status`}: the page is not full`,
    received: `${missing.length} missing${first ? `${missing.length > 1 ? ', one of them' : ''}: ${describeCreated(first)}` : ''}`,
    reproduce:
      first && isLostBesideOthers(missing, evidence)
        ? `${repeated.atOnce(first.creation.curl, 10)}; ${by.curl}`
        : reproduceInTurn([...creations.slice(0, 1), by]),
  });
}

/** Whether only animals are missing that were created beside others, while listings show one that was created alone. */
function isLostBesideOthers(missing: readonly Pet[], { creations, presence }: Evidence): boolean {
  const isAlone = ({ creation: one }: Pet): boolean =>
    creations.all.every(
      (other) => other === one || other.endedAt <= one.sentAt || other.sentAt >= one.endedAt,
    );
  return !missing.some(isAlone) && [...presence.shown.keys()].some(isAlone);
}

/** An animal in a line, and what of it was not sent. */
function describeCreated({ animal, creation }: Pet): string {
  return `${describeAnimal(animal)}, categoryId ${valueText(animal.shown.categoryId)}${'status' in creation.members ? '' : ', created without `status`'}`;
}

/** Pages that an observation cites. */
const mostCited = 3;

requirement('LIST-14', {
  kinds: ['creation', 'listing'],
  *rule({ presence }) {
    const { shown, early, late, longestDelay, gone, goneFrom } = presence.steadiness;
    if (shown === 0) return void (yield open('no listing showed an animal of this run'));
    const animals = count(shown, 'animal');
    yield observed(
      'how soon a created animal is listed',
      late === 0
        ? `at once: no listing with room for one of the ${animals} omitted it`
        : `${late} of the ${animals} were omitted at first, up to ${count(Math.round(longestDelay), 'millisecond')} after the 201`,
    );
    yield observed(
      'animals once listed and missing later from a page that is not full',
      gone === 0 ? 'none' : `${gone} of the ${animals}`,
      ...goneFrom.slice(0, mostCited),
    );
    yield observed(
      'animals listed before the response to their creation was received',
      early === 0 ? 'none' : `${early} of the ${animals}`,
    );
  },
});

requirement('LIST-09', {
  kinds: ['listing'],
  *rule({ responses }) {
    for (const one of responses) {
      const animals = one.operation === 'listPets' ? (one.animals ?? []) : [];
      if (animals.length === 0) continue;
      const seen = new Set<string>();
      const twice = animals.find(({ id }) => seen.size === seen.add(id).size);
      yield check(twice === undefined, one, () => ({
        message: 'a listing shows an identifier twice',
        expected: 'distinct identifiers',
        received: `\`id\` ${twice?.id ?? ''} twice`,
      }));
    }
  },
});

requirement('LIST-10', {
  kinds: ['creation', 'listing'],
  *rule({ pets }) {
    let listed = pets.renumbered.length;
    for (const pet of pets.created.values()) {
      const showings = pet.isOwn ? pet.showings.filter(({ by }) => by.operation === 'listPets') : [];
      listed += showings.length;
      for (const showing of showings) yield shownAsCreated(pet, showing);
    }
    for (const [{ creation, id }, { animal, by }] of pets.renumbered)
      yield failed([creation, by], {
        message: 'the listing shows a created animal under another `id` than its creation returned',
        expected: `\`id\` ${id}`,
        received: `\`id\` ${animal.id}`,
        pointer: '/id',
      });
    if (listed === 0 && pets.created.size > 0) yield left('LIST-08');
  },
});
