import { repeated } from '../lib/http/exchange/curl.js';
import { isNoConnection, type Exchange, type OperationName } from '../lib/http/exchange/exchange.js';
import { notInQuick } from '../lib/requirement/profile.js';
import { everyExchange, kinds, requirement, type Probe } from '../lib/requirement/requirement.js';
import { describeAnimal } from '../lib/session/animal.js';
import type { ApiResponse } from '../lib/session/api-response.js';
import { judgeUntouched, showSame, type Attempt } from '../lib/session/compare-pets.js';
import { atOnce, isLost, oneByOne, underWay } from '../lib/session/load-check.js';
import { createdAnimal, getCreated } from '../lib/session/creation.js';
import { requestPage } from '../lib/session/side-effects.js';
import { wrongHeader, type Failure } from '../lib/verdict/judgement.js';
import { Inconclusive } from '../lib/verdict/outcome.js';

/** Section 4: the statuses that each operation lists. 429 (section 7) may come from any. */
const documented: Record<OperationName, readonly number[]> = {
  listPets: [200, 401],
  createPet: [201, 400, 401],
  getPet: [200, 401, 404],
};

/** A network may break a connection now and then. Beyond this share, and this many, it is the target that breaks them. */
const toleratedShare = 0.15;
const toleratedCount = 8;
/** Of the losses that are attributed to the network, this share may hit the same request twice (rounded up). */
const shareLostTwice = 0.25;

everyExchange('ROBUST-01', { kinds, includingBroken: true }, (judgement, { removalDatePassed }) => {
  let seen = 0;
  const load = { sent: 0, lost: new Array<ApiResponse>(), inLastRound: 0, oneByOne: 0 };
  /** The exchange that each repeat goes back to, across repeats that found no connection or were rate-limited. */
  const origins = new Map<string, string>();
  /** The last broken response by its origin, until a repeat is complete. */
  const broken = new Map<string, ApiResponse>();
  /** Those that broke off again when repeated. What repeats a 429 is the first of its kind. */
  const brokenAgain = new Set<string>();
  const recovered: ApiResponse[] = [];
  /** What breaks off with no complete response in between has one cause, as when a server restarts. */
  let event = 0;
  const events = new Set<number>();
  const eventOf = new Map<string, number>();
  let unreachable: string | undefined;
  let anyResponse = false;
  return {
    see(shown) {
      const { exchange, status } = shown;
      const { id, operation, response, failure, repeats, purpose } = exchange;
      if (purpose === oneByOne && isLost(exchange)) load.oneByOne += 1;
      if (purpose === atOnce && repeats === undefined) {
        if (load.sent % underWay === 0) load.inLastRound = 0;
        load.sent += 1;
        if (isLost(exchange)) {
          load.inLastRound += 1;
          load.lost.push(shown);
        }
      }
      anyResponse ||= response !== undefined || failure?.kind === 'not-http' || failure?.kind === 'too-large';
      const origin = repeats === undefined ? id : (origins.get(repeats) ?? repeats);
      origins.set(id, origin);
      if (failure && isNoConnection(failure.kind)) {
        unreachable = failure.message;
        return;
      }
      seen += 1;
      if (shown.broken !== undefined) {
        if (broken.has(origin)) brokenAgain.add(origin);
        broken.set(origin, shown);
        eventOf.set(id, event);
        return;
      }
      event += 1;
      const original = broken.get(origin);
      if (original) {
        broken.delete(origin);
        recovered.push(original);
        events.add(eventOf.get(original.id) ?? event);
      }
      if (failure || status === undefined || operation === null) {
        judgement.fail(shown, {
          message: `a response of ${shown.operation} is longer than the suite reads`,
          expected: 'a complete response',
          received: failure?.message,
        });
        return;
      }
      judgement.check(isDocumented(exchange, status, removalDatePassed), shown, () => ({
        message: `${operation} responds ${status}, which is not documented${shown.unexpected}`,
        expected: documented[operation].join(', ') + (exchange.input === 'silent' ? ' or another 4xx' : ''),
        received: String(shown),
        fact: { kind: 'status', expected: [...documented[operation]] },
      }));
    },
    conclude() {
      // Silence alone can't tell a target that does not respond from a network that carries no responses.
      const [silent] = broken.values();
      if (silent && !anyResponse)
        throw new Inconclusive(`no response was ever received: ${silent.broken ?? ''}`);
      const cannotServe = load.inLastRound > 0 && load.oneByOne === 0 && load.sent > underWay;
      const [lostAtOnce] = load.lost;
      if (cannotServe && lostAtOnce)
        judgement.fail(load.lost, {
          message: `${load.lost.length} of ${load.sent} requests were lost while ${underWay} were under way at once, and none of ${underWay} one by one`,
          expected: `a documented response to each of ${underWay} requests at once`,
          received: String(lostAtOnce),
          reproduce: repeated.atOnce(lostAtOnce.curl, underWay),
          fact: { kind: 'status', expected: [200] },
        });
      const twice = [...broken].flatMap(([origin, one]) => (brokenAgain.has(origin) ? [one] : []));
      const [, once] = [...broken].find(([origin]) => !brokenAgain.has(origin)) ?? [];
      if (once)
        judgement.leaveOpen(
          `a request broke off (${once.broken ?? ''}), and the run ended before it was repeated`,
        );
      const [lost] = twice;
      if (lost && twice.length <= Math.ceil(events.size * shareLostTwice)) {
        judgement.leaveOpen(
          `${lost.broken ?? ''}, when repeated too. The network broke off ${events.size} others that succeeded when repeated, so that the fault may be the network's or the target's`,
        );
      } else {
        for (const one of twice) judgement.fail(one, wrongLengthOf(one) ?? incompleteOf(one));
      }
      const [first] = recovered;
      const share = `${recovered.length} of ${seen} requests broke off`;
      if (first && events.size > toleratedCount && events.size > seen * toleratedShare) {
        judgement.fail(recovered.slice(0, 10), {
          message: `${share} and succeeded only when repeated`,
          expected: 'a response to each',
          received: first.broken,
        });
      } else if (first && !cannotServe) {
        judgement.note(
          `${share} (${first.broken ?? ''}) and succeeded when repeated: attributed to the network.`,
        );
      }
      if (judgement.checks === 0 && unreachable !== undefined)
        throw new Inconclusive(`the target could not be reached: ${unreachable}`);
    },
  };
});

function isDocumented({ operation, input }: Exchange, status: number, removalDatePassed: boolean): boolean {
  if (operation === null) return false;
  const unspecified = input === 'silent' && status >= 400 && status < 500;
  const removed = removalDatePassed && operation === 'getPet' && (status === 405 || status === 410);
  return documented[operation].includes(status) || status === 429 || unspecified || removed;
}

const refusals: ReadonlySet<number> = new Set([404, 405, 501]);

type Unlisted = readonly [method: string, path: string, sent?: unknown];

function onAnimal(id: string, attempt: Attempt): readonly Unlisted[] {
  const path = `/pets/${id}`;
  return [
    ['POST', path, attempt],
    ['PATCH', path, attempt],
    ['PUT', path, attempt],
    ['DELETE', path],
  ];
}

function onStore(attempt: Attempt): readonly Unlisted[] {
  return [
    ['PATCH', '/pets', attempt],
    ['PUT', '/pets', attempt],
    ['DELETE', '/pets'],
  ];
}

const options = {
  phase: 'unspecified' as const,
  room: notInQuick('it needs an animal of its own'),
  leavesTo: {
    'CREATE-04': 'two creations returned the `id` of the animal',
    'GET-01': 'getPet does not show an unchanged animal the same way twice',
    'GET-04': 'getPet did not serve the animal',
  },
};

requirement('ROBUST-02', options, async (probe) => {
  const { api, store, judgement, facts } = probe;
  const created = await api.createPet(await probe.newPetOfOtherStatus());
  const victim = createdAnimal(created);
  if (!victim)
    return judgement.leaveOpen(
      new Inconclusive(`the animal to be left alone was not created: ${String(created)}`, 'CREATE-01'),
    );
  const before = facts.removalDatePassed ? undefined : await getCreated(probe, victim.id);
  const attempt = await probe.newPet();
  const unlisted = [...onAnimal(victim.id, attempt), ...onStore(attempt)];
  const responses: UnlistedResponse[] = [];
  for (const one of unlisted) responses.push({ unlisted: one, response: await refusalOf(probe, one) });
  const page = await requestPage(api, attempt.status);
  for (const one of responses) judgeRefusal(probe, one, page.response);
  const added = page.animals?.find(({ id, shown }) => shown.name === attempt.name && id !== victim.id);
  judgement.check(added === undefined, page.response, () => ({
    message: 'a method that is not listed added an animal',
    expected: 'no animal of the name that was sent',
    received: added && describeAnimal(added),
  }));
  if (!before) return;
  const subject = 'whether the animal is as before';
  if (before.status !== 200) return judgement.leaveTo('GET-04', `${subject}: ${String(before)}`);
  if (store.knownPets.isAmbiguous(victim.id)) return judgement.leaveTo('CREATE-04', subject);
  const after = await getCreated(probe, victim.id);
  if (after.status !== 200 && after.status !== 404)
    return judgement.leaveOpen(`${subject}: ${String(after)}`);
  const change = showSame(before, after) ? undefined : await changeOf(probe, attempt);
  const { by = 'a method that is not listed', reproduce } = change ?? {};
  await judgeUntouched(probe, { created: victim, before, after, by, reproduce }, [attempt]);
});

function nameOfUnlisted([method, path]: Unlisted): string {
  return `${method} ${path === '/pets' ? path : '/pets/{petId}'}`;
}

interface UnlistedResponse {
  readonly unlisted: Unlisted;
  readonly response: ApiResponse;
}

/** The response to a method that is not listed; sent once more if it broke off, as connections do now and then. */
async function refusalOf({ api }: Probe, unlisted: Unlisted): Promise<ApiResponse> {
  const response = await api.unlisted(...unlisted);
  return response.broken === undefined ? response : api.unlisted(...unlisted);
}

/** @param listing what the target responded to a listing after it: whether it responds at all */
function judgeRefusal(
  { judgement }: Probe,
  { unlisted: [method, path], response }: UnlistedResponse,
  listing: ApiResponse,
): void {
  const what = nameOfUnlisted([method, path]);
  const { status, broken } = response;
  if (broken !== undefined && listing.broken !== undefined)
    return judgement.leaveTo('ROBUST-01', `${what}: ${broken}`);
  const message =
    broken === undefined
      ? `${what}, which is not listed, is not refused`
      : `${what}, which is not listed, gets no complete response, twice`;
  judgement.check(broken === undefined && status !== undefined && refusals.has(status), response, () => ({
    message,
    expected: '404, 405 or 501',
    received: broken ?? String(response),
    fact: { kind: 'status', expected: [...refusals] },
  }));
}

function incompleteOf(one: ApiResponse): Failure {
  return {
    message: `${one.operation} gives no complete response: ${one.broken ?? ''}${one.unexpected}`,
    expected: 'a documented response',
    received: String(one),
  };
}

/** A body that is longer than its Content-Length: a length in characters is that of text in ASCII only. */
function wrongLengthOf(one: ApiResponse): Failure | undefined {
  const { bytes = 0, text = '' } = one.exchange.response?.body ?? {};
  const values = one.headers('Content-Length');
  const [announced = ''] = values;
  if (one.broken === undefined || values.length !== 1 || bytes <= Number(announced)) return undefined;
  const isInCharacters = [text.length, Array.from(text).length].includes(Number(announced));
  return {
    message: `the server sends more bytes than \`Content-Length\` announces${isInCharacters ? ': it counts characters, not bytes' : ''}`,
    expected: `Content-Length: ${bytes}`,
    received: `Content-Length: ${announced}`,
    fact: wrongHeader('Content-Length', values),
  };
}

/** The method that changes an animal, found on other animals; those on the whole store are not sent again. */
async function changeOf(
  probe: Probe,
  attempt: Attempt,
): Promise<{ readonly by: string; readonly reproduce: string } | undefined> {
  const { api, newPetOfOtherStatus } = probe;
  for (const index of onAnimal('', attempt).keys()) {
    const { id } = createdAnimal(await api.createPet(await newPetOfOtherStatus())) ?? {};
    const [method, path, sent] = onAnimal(id ?? '', attempt)[index] ?? [];
    if (id === undefined || method === undefined || path === undefined) return undefined;
    const before = await getCreated(probe, id);
    const response = await api.unlisted(method, path, sent);
    const after = await api.getPet(id);
    if (before.status !== 200 || (after.status === 200 && showSame(before, after))) continue;
    // Whoever reproduces it needs an animal that is still unchanged.
    const fresh = (await api.createPet(await newPetOfOtherStatus())).animal?.id ?? id;
    const lines = [before, response, after].map(({ curl }) =>
      curl.replace(`/pets/${id}'`, `/pets/${fresh}'`),
    );
    return { by: `${method} /pets/{petId}, which is not listed,`, reproduce: lines.join('; ') };
  }
  return undefined;
}
