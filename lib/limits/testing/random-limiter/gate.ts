import type { IncomingMessage } from 'node:http';
import { windowByClock, windowFromRequest } from './counters.js';
import { dayMs, headersOf, type Counters, type Decision } from './headers.js';
import { randomFrom, sendTimes } from './other-clients.js';
import { errorAnswer, type Answer } from './pet-store.js';
import { counterOf, type RandomLimiter } from './random-limiter.js';

/** A key, and the limits of its plan. */
export interface Key {
  readonly key: string;
  readonly perMinute: number;
  readonly perDay: number;
}

/** What happens to a request behind the limiter. */
interface Operation {
  /** What is refused by the body alone. */
  readonly refusal: () => Answer | undefined;
  readonly answer: () => Answer;
}

type Response = Answer & { readonly headers: Readonly<Record<string, string>> };

/** Callers without a key are counted together. */
const anonymous: Key = { key: '', perMinute: 300, perDay: 100_000 };

/** Checks keys and counts requests, in the order and in the way that was drawn. */
export class Gate {
  readonly #limiter: RandomLimiter;
  readonly #keys: readonly Key[];
  readonly #counters = new Map<Key, Counters>();
  #others: { readonly times: Generator<number>; next: number | undefined } | undefined;

  /** @param keys the first of them has the other clients */
  constructor(limiter: RandomLimiter, keys: readonly Key[]) {
    this.#limiter = limiter;
    this.#keys = keys;
  }

  /** @param at milliseconds by the target's clock; never earlier than before */
  pass(request: IncomingMessage, at: number, { refusal, answer }: Operation): Response {
    const { errors, beforeKey } = this.#limiter;
    const key = this.#keyOf(request);
    const counters = this.#countersOf(key ?? anonymous);
    const unauthorized = errorAnswer(401, 'unauthorized');
    if (!key && beforeKey !== 'counted')
      return {
        ...unauthorized,
        headers: beforeKey === 'free' ? this.#headers(counters, look(counters, at)) : {},
      };
    const refused = key && refusal();
    if (refused && errors === 'unseen') return { ...refused, headers: {} };
    if (key === this.#keys[0]) this.#letOthersCome(counters, at);
    const { decision, undo } = this.#take(counters, at);
    if (!decision.admitted)
      return { ...errorAnswer(429, 'too-many-requests'), headers: this.#headers(counters, decision) };
    const given = key ? (refused ?? answer()) : unauthorized;
    if (errors === 'free' && given.status >= 400) undo();
    return { ...given, headers: this.#headers(counters, decision) };
  }

  #keyOf({ headers: { authorization = '' } }: IncomingMessage): Key | undefined {
    const sent = /^Bearer (?<key>.+)$/i.exec(authorization)?.groups?.['key'];
    return this.#keys.find(({ key }) => key === sent);
  }

  #countersOf(key: Key): Counters {
    const { perMinute, perDay } = key;
    const isByClock = this.#limiter.dayBegins === 'clock';
    const counters = this.#counters.get(key) ?? {
      minute: counterOf(this.#limiter, perMinute),
      day: isByClock ? windowByClock(perDay, 0, dayMs) : windowFromRequest(perDay, dayMs),
      perMinute,
      perDay,
    };
    this.#counters.set(key, counters);
    return counters;
  }

  #letOthersCome(counters: Counters, at: number): void {
    if (!this.#others) {
      const { others, seed } = this.#limiter;
      const times = sendTimes(others, at, randomFrom(seed));
      this.#others = { times, next: times.next().value };
    }
    while (this.#others.next !== undefined && this.#others.next <= at) {
      this.#take(counters, this.#others.next);
      this.#others.next = this.#others.times.next().value;
    }
  }

  #take(counters: Counters, at: number): { readonly decision: Decision; readonly undo: () => void } {
    const decision = look(counters, at);
    if (!decision.admitted && !this.#limiter.rejectionsCount) return { decision, undo: () => undefined };
    const undoMinute = counters.minute.count(at);
    const undoDay = decision.admitted ? counters.day.count(at) : undefined;
    return {
      decision,
      undo: () => {
        undoMinute();
        undoDay?.();
      },
    };
  }

  #headers(counters: Counters, decision: Decision): Readonly<Record<string, string>> {
    return headersOf(this.#limiter, counters, decision);
  }
}

function look(counters: Counters, at: number): Decision {
  const before = { minute: counters.minute.room(at), day: counters.day.room(at) };
  return { admitted: before.minute > 0 && before.day > 0, at, before };
}
