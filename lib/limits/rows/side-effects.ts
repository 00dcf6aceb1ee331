import { curlOf, repeated } from '../../evidence/curl.js';
import { failed, note, open, passed, type Check, type Checks } from '../../verdict/check.js';
import { Inconclusive, NotTested } from '../../verdict/outcome.js';
import { isAdmitted, isRejected, responsesOf, type Observation } from '../history/observation.js';
import type { WalkAround } from '../history/left-out.js';
import type { LimitFacts } from '../history/history.js';
import type { LimitEvidence } from '../limit-evidence.js';
import type { Plan } from '../../specification/plan.js';

/** LIMIT-07: a creation that is rejected with 429 adds no animal. */
export function* judgeNoEffect({ history, facts }: LimitEvidence): Checks {
  if (facts.readOnly) throw new NotTested('a read-only run creates nothing');
  const all = [...history.own, ...history.others].toSorted((a, b) => a.sentAt - b.sentAt);
  const creations = all.flatMap((one) => {
    const name = one.operation === 'createPet' ? one.exchange.nameSent : undefined;
    return name === undefined ? [] : [{ ...one, name, petStatus: one.exchange.members.status }];
  });
  const listings = all.flatMap((listing) => {
    const animals = listing.operation === 'listPets' ? listing.exchange.animals : undefined;
    return animals ? [{ listing, names: new Set(animals.map(({ shown }) => shown.name)) }] : [];
  });
  // Of a creation that was sent again nobody knows which one added the animal.
  const others = new Set(creations.filter((one) => !isRejected(one)).map(({ name }) => name));
  const rejected = creations.filter((one) => isRejected(one) && !others.has(one.name));
  if (rejected.length === 0) throw new Inconclusive('no creation was rejected with 429');
  let looked = 0;
  for (const rejection of rejected) {
    const after = listings.filter(({ listing }) => listing.sentAt >= rejection.receivedAt);
    const showing = after.find(({ names }) => names.has(rejection.name));
    // A listing must be one that would show it: it shows what was created later with the same status.
    const controls = creations.filter(
      ({ status, receivedAt, petStatus }) =>
        status === 201 && receivedAt > rejection.receivedAt && petStatus === rejection.petStatus,
    );
    const isControlled = after.some(({ names }) => controls.some(({ name }) => names.has(name)));
    if (showing || isControlled) looked += 1;
    if (showing)
      yield failed(responsesOf(rejection, showing.listing), {
        message: 'a creation that was rejected with 429 added an animal all the same',
        expected: `no animal named ${JSON.stringify(rejection.name)}`,
        received: `${showing.listing.id} lists it`,
        reproduce: commandOfEffect(rejection, showing.listing, facts.plan),
      });
    else if (isControlled) yield passed;
  }
  if (looked === 0)
    throw new Inconclusive('no listing showed an animal that was created after the rejected one');
  if (looked < rejected.length)
    yield note(`${looked} of ${rejected.length} rejected creations were looked up in a later listing.`);
}

/** Exhausts the limit, creates another animal over it, and looks for that one when the window is over. */
function commandOfEffect(
  rejection: Observation & { readonly name: string },
  listing: Observation,
  { perMinute }: Plan,
): string {
  const create = curlOf(rejection.exchange.request);
  const another = `${rejection.name} again`;
  const list = curlOf(listing.exchange.request);
  const exhaust = repeated.upToRejection(curlOf(listing.exchange.request), 2 * perMinute);
  return `${exhaust}; ${create.replace(rejection.name, another)}; sleep 61; ${list} | grep -o '${another}'`;
}

/** A request so soon after a 429 comes while the key is over its limit, whatever the 429 says. */
const stillOverMs = 1_000;

/** LIMIT-08: while one key is over its limit, another is served. */
export function* judgePerCaller({ facts, history, diagnosis }: LimitEvidence): Checks {
  const { own, others } = history;
  if (history.walkAround) yield walkedAround(history.walkAround, facts);
  if (facts.otherCaller === undefined) throw new NotTested('a second key is needed (--other-api-key)');
  const second = others.filter(({ caller, status }) => caller === facts.otherCaller && status !== 401);
  if (second.length === 0) throw new Inconclusive('the second key was not tried, or is rejected with 401');
  // What has a limit of its own says nothing of another operation's.
  const isApart = diagnosis.deviation?.id === 'apart';
  /** The rejection of the plan's key that was its last response. */
  const rejectionAt = ({ sentAt, operation }: Observation): Observation | undefined => {
    const last = own.findLast(
      (one) => one.status !== null && one.receivedAt <= sentAt && (!isApart || one.operation === operation),
    );
    return last && isRejected(last) && sentAt <= last.receivedAt + stillOverMs ? last : undefined;
  };
  const beside = second.filter((one) => rejectionAt(one) && (isAdmitted(one) || isRejected(one)));
  if (beside.length === 0)
    throw new Inconclusive('no response to the second key came while the first was over its limit');
  const rejected = beside.filter(isRejected);
  const [first] = rejected;
  const over = first && rejectionAt(first);
  if (!over) return void (yield { held: beside.length });
  if (!second.some((one) => isAdmitted(one) && !rejectionAt(one)))
    return void (yield open(
      'the second key was rejected, and never served while the first was not over its limit',
    ));
  const exhaust = repeated.upToRejection(curlOf(over.exchange.request), 2 * facts.plan.perMinute);
  yield failed(responsesOf(over, ...rejected.slice(0, 2)), {
    message: 'a second key is rejected with 429 while the first one is over its limit',
    expected: 'served: limits are counted for each caller',
    received: `${rejected.length} of ${beside.length} rejected`,
    reproduce: `${exhaust}; ${curlOf(first.exchange.request)}`,
  });
}

/** Who names another client's address is no other caller. */
function walkedAround({ before, forged }: WalkAround, { plan }: LimitFacts): Check {
  const was = before.headers.remaining;
  const plain = repeated.countedInTurn([curlOf(before.exchange.request)], plan.perMinute + 1);
  return failed(responsesOf(before, forged), {
    message:
      'the limit can be walked around: a request that names another client’s address (X-Forwarded-For, X-Real-IP, Forwarded) is counted apart',
    expected: `less than ${was} remaining, as for any request with this key`,
    received: `${forged.headers.remaining} remaining, right after ${was}`,
    reproduce: `${plain}; ${curlOf(forged.exchange.request)}`,
  });
}
