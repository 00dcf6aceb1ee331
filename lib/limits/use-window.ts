import { operationNames } from '../http/exchange/exchange.js';
import { isLoopback } from '../http/connection/tls.js';
import { isAdmitted, type LedgerEntry } from '../load/ledger.js';
import type { PlannedRequest } from '../http/exchange/planned-request.js';
import { animalOf } from '../session/animal.js';
import { createdAnimal } from '../session/creation.js';
import type { PetStatus } from '../specification/body-schema.js';
import type { Course } from './course.js';
import type { FreshWindow } from './fresh-window.js';
import type { Sent } from './key-session.js';
import { admitted, answerOf, refused, type Seen } from './seen.js';
import type { UseKind, WindowUse } from './window-use.js';

/** Milliseconds in which a window should be used up, so that little of it refills meanwhile. */
const patience = 8_000;
/** A far target gets no more connections than this in a sequence. */
const mostInSequence = 10;
/** Requests of a mixed window that go in turn; behind them creations are rare, as nobody can take animals out again. */
const inTurn = 60;
const rareCreation = 20;
/** Over the figure in a burst on this machine: a limiter that now and then lets one through is seen in a few. */
const overInBurst = 5;
/** More than time gives back of a limit while they are sent. */
const triesBehindRefusal = 6;

/** A 429 ends a volley, and so does a server in trouble. */
const stopAfter = (entry: LedgerEntry): boolean => !isAdmitted(entry);

/**
 * Uses a fresh window up with listings, one after the other, up to the first 429. On this machine a limiter is tried as
 * far as it takes; elsewhere a window gets the figure and one request more, which is a creation (LIMIT-07).
 */
export async function useInSequence(course: Course, fresh: FreshWindow): Promise<WindowUse> {
  const { session, options } = course;
  const { perMinute } = options.plan;
  const most = isOnLoopback(course) ? 2 * perMinute + 2 : perMinute;
  const listings = Array.from({ length: Math.max(0, most - used(course, fresh)) }, () =>
    session.list('LIMIT-01'),
  );
  const connections = connectionsFor(course, perMinute);
  const sent = [await session.send(listings, { connections, stopAfter })];
  const ended = course.since(fresh.place).some((seen) => !admitted(seen));
  if (!ended && !isOnLoopback(course)) sent.push(await overLimit(course));
  return completed(course, 'sequence', fresh, sent);
}

/** One request over the limit: a creation, or a listing where nothing may be created. */
async function overLimit(course: Course): Promise<Sent> {
  const { session, options } = course;
  if (options.readOnly) return session.send([session.list('LIMIT-02')]);
  const { request, name } = session.create('LIMIT-07', options.quietStatus);
  const sent = await session.send([request]);
  keepCreations(course, sent, { names: new Map([[request, name]]), status: options.quietStatus });
  return sent;
}

/** Tries, in a window that is used up, until a creation is refused with 429: a refilling limiter may admit one. */
export async function refuseCreation(course: Course): Promise<void> {
  const use = course.uses.sequence;
  if (course.options.readOnly || !use || !course.lastRefusal()) return;
  if (!isOnLoopback(course) && use.requests.length > course.options.plan.perMinute) return;
  course.session.begin('refused creation');
  for (let tries = 0; tries < 3 && course.refusedCreations.length === 0; tries += 1) await overLimit(course);
}

/**
 * Uses a window up with the three operations in turn, up to the first 429; on this machine as far as a limiter takes it,
 * and behind the 429 each of the other two is tried once: a limit for all of them refuses them too (LIMIT-09).
 */
export async function useMixed(course: Course, fresh: FreshWindow): Promise<WindowUse> {
  const { session, options } = course;
  const { perMinute } = options.plan;
  const petId = options.petId ?? session.created.at(-1)?.id ?? listedId(course.session.history);
  const before = used(course, fresh);
  const most = isOnLoopback(course) ? 2 * perMinute + 2 : perMinute + 1;
  const can = { creates: !options.readOnly, gets: petId !== undefined };
  const status = loudStatus(options.quietStatus);
  const names = new Map<PlannedRequest, string>();
  const requestOf = (operation: PlannedRequest['operation']): PlannedRequest => {
    if (operation === 'createPet') {
      const { request, name } = session.create('LIMIT-09', status);
      names.set(request, name);
      return request;
    }
    return operation === 'getPet' && petId !== undefined
      ? session.get('LIMIT-09', petId)
      : session.list('LIMIT-09');
  };
  const requests = Array.from({ length: Math.max(0, most - before) }, (_unused, index) =>
    requestOf(operationInTurn(index, can)),
  );
  const connections = connectionsFor(course, requests.length);
  const sent = [await session.send(requests, { connections, stopAfter })];
  if (isOnLoopback(course)) {
    const operations = operationNames.filter(
      (name) => (name !== 'createPet' || can.creates) && (name !== 'getPet' || can.gets),
    );
    sent.push(...(await tryBehindRefusal(course, fresh, operations, requestOf)));
  }
  for (const each of sent) keepCreations(course, each, { names, status });
  return completed(course, 'mixed', fresh, sent);
}

/** Where one operation was refused with 429, asks for each of the others, until it is refused too. */
async function tryBehindRefusal(
  course: Course,
  fresh: FreshWindow,
  operations: readonly PlannedRequest['operation'][],
  requestOf: (operation: PlannedRequest['operation']) => PlannedRequest,
): Promise<Sent[]> {
  const { session } = course;
  const refusal = course.since(fresh.place).find(refused)?.exchange.operation;
  if (!refusal) return [];
  const all: Sent[] = [];
  const ask = async (operation: PlannedRequest['operation']): Promise<boolean> => {
    const sent = await session.send([requestOf(operation)]);
    all.push(sent);
    return sent.requests.every(admitted);
  };
  for (const operation of operations.filter((name) => name !== refusal)) {
    session.begin(`refused ${operation}`);
    let tries = 0;
    while (tries < triesBehindRefusal && (await ask(operation))) tries += 1;
    if (tries < triesBehindRefusal) continue;
    // Refused again, it was no new window that let the other one through.
    session.begin('refused again');
    await ask(refusal);
  }
  return all;
}

/** Fires everything that is left of a fresh window, and a few requests more, at the same moment; elsewhere one more. */
export async function useInBurst(course: Course, fresh: FreshWindow): Promise<WindowUse> {
  const { session } = course;
  const beyond = isOnLoopback(course) ? overInBurst : 1;
  const count = Math.max(0, course.options.plan.perMinute - used(course, fresh)) + beyond;
  const requests = Array.from({ length: count }, () => session.list('LIMIT-03'));
  // What is under way can't be called back; nothing is gained by stopping.
  const sent = await session.send(requests, { connections: count, stopAfter: () => false });
  return completed(course, 'burst', fresh, [sent]);
}

function operationInTurn(
  index: number,
  can: { readonly creates: boolean; readonly gets: boolean },
): PlannedRequest['operation'] {
  const creation = index < inTurn ? index % 3 === 1 : index % rareCreation === 0;
  if (creation && can.creates) return 'createPet';
  return can.gets && (index % 3 === 2 || (index >= inTurn && index % 2 === 1)) ? 'getPet' : 'listPets';
}

/** Another status than the one that listings of this run are looked at for. */
function loudStatus(quiet: PetStatus): PetStatus {
  return quiet === 'available' ? 'sold' : 'available';
}

/** Requests of this window so far that were not refused. */
function used(course: Course, fresh: FreshWindow): number {
  return course.since(fresh.place).filter((seen) => !refused(seen)).length;
}

export function isOnLoopback({ options }: Course): boolean {
  return options.treatAsRemote !== true && isLoopback(new URL(options.target.baseUrl).hostname);
}

/** One connection, unless the target is so far away that the window would be over before it is used up. */
function connectionsFor(course: Course, requests: number): number {
  if (isOnLoopback(course)) return 1;
  const recent = course.session.history.slice(-5).filter(({ status }) => status !== null);
  const latency = recent.reduce((sum, { sentAt, at }) => sum + at - sentAt, 0) / Math.max(1, recent.length);
  const needed = Math.ceil((latency * requests) / ((patience * course.windowMs) / 60_000));
  return Math.min(mostInSequence, Math.max(1, needed));
}

/** Keeps what became of creations: animals that are there now, and those that should not be. */
export function keepCreations(
  course: Course,
  { requests, ledger }: Sent,
  { names, status }: { readonly names: ReadonlyMap<PlannedRequest, string>; readonly status: PetStatus },
): void {
  requests.forEach((seen, index) => {
    const request = ledger.entries[index]?.request;
    const name = request && names.get(request);
    if (name === undefined) return;
    if (refused(seen)) course.refusedCreations.push({ name, status, seen });
    const animal = createdAnimal(answerOf(seen));
    if (animal) course.session.created.push({ id: animal.id, name });
  });
}

function listedId(history: readonly Seen[]): string | undefined {
  for (const seen of history) {
    if (seen.status !== 200 || seen.exchange.operation !== 'listPets') continue;
    const { json } = answerOf(seen);
    const animal = Array.isArray(json) ? animalOf(json[0]) : undefined;
    if (animal) return animal.id;
  }
  return undefined;
}

function completed(course: Course, kind: UseKind, fresh: FreshWindow, sent: readonly Sent[]): WindowUse {
  const requests = course.since(fresh.place).toSorted((a, b) => a.sentAt - b.sentAt);
  const inexact = sent.find(({ ledger }) => !ledger.exact)?.ledger.inexact;
  course.lastHeavy = requests.findLast(admitted)?.at ?? course.lastHeavy;
  return {
    kind,
    requests,
    strangers: course.session.strangers - fresh.strangers,
    excused: fresh.excused,
    others: fresh.others,
    light: fresh.light,
    exact: inexact === undefined,
    ...(inexact === undefined ? {} : { inexact }),
  };
}
