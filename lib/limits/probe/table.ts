import {
  forgedAddress,
  isAdmitted,
  isRejected,
  reportsRemaining,
  type Observation,
} from '../history/history.js';
import { operationNames, type OperationName } from '../../evidence/recorded-exchange.js';
import { createPet, getPet, listPets, type OperationRequest } from '../../http/exchange/planned-request.js';
import type { PetStatus } from '../../specification/body-schema.js';
import { minuteMs, tolerances } from '../tolerances.js';
import { listing, type LimitSession, type Part } from './session.js';

/** Listings that open the first window: a log, a window, a counter and a bucket give them back in different ways. */
const opening = 12;
/** So late a Retry-After of the whole window is wrong, and at no whole second one rounded to the nearest is too short. */
const pauseMs = 0.0925 * minuteMs;
/** Requests of a window that go by turns; behind them creations are rare, as nobody can take animals out again. */
const byTurns = 60;
const rareCreation = 20;
/** Requests over the limit so far apart, the first as a second begins: their Retry-Afters differ in the fraction they round. */
const fractionMs = 250;
const earlyInSecondMs = 5;
/** A burst begins so soon after a step of a limiter that goes by whole seconds: it gives nothing back meanwhile. */
const behindStepMs = 60;
/** Requests of the window that show what errors use up, and what is told behind them. */
const errors = 4;
/** Tries of each operation behind the first 429: more than time gives back from one to the next. */
const triesBehind = ({ perMinute }: LimitSession): number =>
  4 + Math.floor((perMinute * fractionMs) / minuteMs);
/** Sent over the limit on this machine; and one for each so many that a bucket may give back meanwhile. */
export const overLimit = 5;
const refill = 100;
/** Requests that follow each other over one connection to a far target. */
const mostInSequence = 150;
/** An identifier that nothing has (GET-02). */
const unknownId = '9223372036854775807';

function listings(count: number): OperationRequest[] {
  return Array.from({ length: Math.max(0, count) }, () => listing);
}

/** What is under way can't be called back; nothing is gained by stopping. */
const atOnce = (_session: LimitSession, connections: number) => ({ connections, stopAfter: () => false });

/** The first window, one request after the other; each operation is tried behind the first 429, at several fractions of a second. */
export const sequence: readonly Part[] = [
  {
    phase: 'opening',
    purpose: 'LIMIT-11',
    at: longEnough,
    // The functional probes of the run may have used this window: that is an opening, too.
    requests: ({ isUnrestrained, left, perMinute }) =>
      listings(isUnrestrained ? opening - (perMinute - left) : 0),
  },
  {
    phase: 'costs',
    purpose: 'LIMIT-13',
    at: ({ now }) => now + pauseMs,
    key: 'unknownCredential',
    requests: () => [listing],
  },
  {
    phase: 'costs',
    purpose: 'LIMIT-13',
    // Without Remaining nothing shows what errors use up: the listings between them tell.
    when: ({ left, history }) => left > errors && reportsRemaining(history),
    requests: ({ options: { facts } }) => [
      ...(facts.readOnly ? [] : [createPet('{"categoryId":1}'), listing]),
      getPet(unknownId),
      listing,
    ],
  },
  {
    phase: 'sequence',
    purpose: 'LIMIT-09',
    requests: exhausting,
    way: ({ isUnrestrained }, requests) => ({
      connections: isUnrestrained ? 1 : Math.ceil(requests / mostInSequence),
    }),
  },
  ...(['listPets', 'createPet', 'getPet', 'listPets'] as const).map((operation, index): Part => ({
    phase: 'behind sequence',
    purpose: 'LIMIT-09',
    when: isRejectedHere,
    at: (session) => session.withinSecond(earlyInSecondMs + index * fractionMs),
    // Who has a limit of its own is admitted: a listing then shows the Retry-After at this fraction of a second.
    requests: (session) => [
      ...Array.from({ length: triesBehind(session) }, () => requestOf(operation, session)),
      listing,
    ],
  })),
  {
    phase: 'behind sequence',
    purpose: 'LIMIT-07',
    when: isRejectedHere,
    requests: creations(3),
    way: atOnce,
  },
  {
    phase: 'behind sequence',
    purpose: 'LIMIT-07',
    // Elsewhere a window gets the limit and one request more.
    when: (session) => !session.isUnrestrained && !rejectedIn(session.window),
    at: (session) => session.withinSecond(earlyInSecondMs),
    requests: creations(1),
  },
  { phase: 'behind sequence', purpose: 'LIMIT-08', key: 'otherCredential', requests: () => [listing] },
];

/** The second window: requests of all operations at the same moment, or of one that has a limit of its own. */
export const burst: readonly Part[] = [
  // What was rejected in the first window is served in this one, and shows what the rejected requests left behind.
  { phase: 'control', purpose: 'LIMIT-08', key: 'otherCredential', requests: () => [listing] },
  { phase: 'control', purpose: 'LIMIT-07', requests: creations(1) },
  {
    phase: 'control',
    purpose: 'LIMIT-07',
    at: whenFull,
    // A whole page of what may be rejected. Just before the burst it also shows that nobody else has come.
    requests: ({ options: { rarestStatus: status } }) => [listPets({ limit: 100, status })],
  },
  {
    phase: 'burst',
    purpose: 'LIMIT-03',
    requests: (session) => {
      const only = rejectedApart(session);
      const more = session.isUnrestrained ? overLimit + Math.ceil(session.perMinute / refill) : 1;
      // Over the limit every second one is a creation, so that one is rejected (LIMIT-07).
      const over = Array.from({ length: more }, (_, index) => (index % 2 ? only : 'createPet'));
      return [
        ...mixed(session, session.left, only),
        ...over.map((operation) => requestOf(operation ?? 'listPets', session)),
      ];
    },
    way: (session, requests) => ({
      ...atOnce(session, requests),
      ...(wasLost(session) && { connections: 2, closeConnections: true }),
    }),
  },
];

/** A window from all vantage points together: one request after the other, each from the next one. */
export const fromAll: Part = {
  phase: 'vantage points',
  purpose: 'LIMIT-15',
  requests: ({ left, perMinute }) => listings(left + Math.max(10, Math.ceil(perMinute / 10))),
  way: ({ options: { facts } }) => {
    const { vantagePoints: localAddresses = [] } = facts;
    // Two of each: what is counted by connection is not taken for a limit of each address.
    return { connections: 2 * localAddresses.length, localAddresses, inTurn: true };
  },
};

/** A window of a key that may be lost, exhausted and then used on by twenty requests in spite of the 429s (section 8.3). */
export const stubborn: Part = {
  phase: 'ban',
  purpose: 'LIMIT-12',
  requests: ({ perMinute }) => listings(perMinute + 21),
  way: () => ({ stopAfter: () => false }),
};

/** More than the limit, of all operations, and at last as many listings: they may have a limit of their own. */
function exhausting(session: LimitSession): OperationRequest[] {
  const { left, history, perMinute, isUnrestrained } = session;
  const requests = isUnrestrained
    ? [...mixed(session, left + perMinute + 2), ...listings(perMinute)]
    : mixed(session, left);
  const middle = Math.floor(left / 2);
  // One names another client's address, if Remaining shows what a target makes of it.
  if (middle === 0 || history.at(-1)?.headers.remaining === undefined) return requests;
  return requests.with(middle, { ...listing, headers: forgedAddress });
}

/** Requests of all operations by turns, or of one. */
function mixed(session: LimitSession, count: number, only?: OperationName): OperationRequest[] {
  const { left, options } = session;
  // What may be rejected is looked for in a listing; all others have a status that no listing is looked at for.
  const plain = options.rarestStatus === 'available' ? 'sold' : 'available';
  return Array.from({ length: Math.max(0, count) }, (_unused, index) => {
    const isCreation = index < byTurns ? index % 3 === 1 : index % rareCreation === 0;
    const operation = isCreation ? 'createPet' : index % 3 === 2 ? 'getPet' : 'listPets';
    return requestOf(only ?? operation, session, index < left ? plain : undefined);
  });
}

/** A request of an operation; a listing if the run may create nothing, or knows no animal. */
function requestOf(
  operation: OperationName,
  { options: { facts, petId, newPet, rarestStatus } }: LimitSession,
  status: PetStatus = rarestStatus,
): OperationRequest {
  if (operation === 'createPet' && !facts.readOnly) return createPet(newPet(status));
  return operation === 'getPet' && petId !== undefined ? getPet(petId) : listing;
}

function creations(count: number): Part['requests'] {
  return (session) => Array.from({ length: count }, () => requestOf('createPet', session));
}

/** When another window begins, if this one may be over before it is exhausted. */
function longEnough(session: LimitSession): number {
  const reset = session.resetIn() ?? Number.POSITIVE_INFINITY;
  return reset - session.now < 2 * pauseMs ? reset + tolerances.afterResetMs : session.now;
}

/** When a bucket that was empty is full again, also if it holds one too many: none that conforms has more than the limit at once. */
function whenFull(session: LimitSession): number {
  const { now, left, perMinute } = session;
  const full = now + ((perMinute - left + 1) * minuteMs) / perMinute;
  const at = session.withinSecond(behindStepMs, full);
  // Its seconds may go by the first request, too: none of them passes while a burst is sent and answered.
  const behindFirst = (at - (session.history[0]?.sentAt ?? at)) % 1_000;
  return behindFirst < behindStepMs || behindFirst > 1_000 - 3 * behindStepMs ? at + 5 * behindStepMs : at;
}

function rejectedIn(observations: readonly Observation[]): Observation | undefined {
  return observations.find((one) => one.phase === 'sequence' && isRejected(one));
}

/** Whether the sequence has got a 429, and more may be sent. */
function isRejectedHere(session: LimitSession): boolean {
  return session.isUnrestrained && rejectedIn(session.window) !== undefined;
}

/** The operation that was rejected, if another was admitted behind it as if each had a limit of its own (LIMIT-09). */
function rejectedApart(session: LimitSession): OperationName | undefined {
  const rejected = rejectedIn(session.history)?.operation;
  const admitted = session.history.filter((one) => one.phase === 'behind sequence' && isAdmitted(one));
  const isApart = operationNames.some(
    (name) => admitted.filter(({ operation }) => operation === name).length >= triesBehind(session),
  );
  // Nobody can take so many animals out again.
  return isApart && rejected !== 'createPet' ? (rejected ?? undefined) : undefined;
}

/** Whether the target could not take a burst: it is sent again over few connections, each closed after its response. */
export function wasLost({ history }: LimitSession): boolean {
  return history.some(({ phase, status }) => phase === 'burst' && status === null);
}
