import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../evidence/recorded-exchange.js';
import { exchangeOf } from '../exchange/testing/exchange-of.js';
import {
  backoff,
  decide,
  initialState,
  lostExchanges,
  nextState,
  type Decision,
  type Retries,
  type TargetState,
} from './circuit-breaker.js';

type Kind = NonNullable<Exchange['failure']>['kind'];

const request = (method: string): Exchange['request'] => ({
  method,
  url: 'http://127.0.0.1/v1/pets',
  headers: [],
});
const status = (code: number, method = 'GET') => exchangeOf({ status: code, request: request(method) });
const failed = (kind: Kind, method = 'GET') =>
  exchangeOf({ status: null, request: request(method), failure: { kind, message: kind } });
const cutOff = (kind: Kind) => exchangeOf({ failure: { kind, message: kind } });

const reached: Partial<TargetState> = { reached: true, admitted: true };
const lost: Partial<TargetState> = { reached: true, unanswered: 8, sentIntoSilence: 8 };

interface Row {
  readonly after: Exchange;
  readonly state?: Partial<TargetState>;
  readonly retries?: Partial<Retries>;
  readonly canProbe?: boolean;
  readonly does: Decision['action'] | 'retry at once' | `retry after ${number} ms`;
}

const table: Readonly<Record<string, Row>> = {
  'a 200': { after: status(200), does: 'accept' },
  'a 500': { after: status(500), does: 'accept' },
  'a body that is too long': { after: cutOff('too-large'), does: 'accept' },
  'an interrupted request': { after: failed('aborted'), does: 'accept' },
  'a 429': { after: status(429), does: 'retry at once' },
  'a 429 to a create': { after: status(429, 'POST'), does: 'retry at once' },
  'a 429 after five waits': {
    after: status(429),
    state: reached,
    retries: { limited: 5 },
    does: 'retry at once',
  },
  'a 429 after six waits': { after: status(429), state: reached, retries: { limited: 6 }, does: 'abort' },
  'nothing but 429 after two waits': { after: status(429), retries: { limited: 2 }, does: 'abort' },
  'a refused connection': { after: failed('refused'), does: 'retry after 500 ms' },
  'a refused connection, again': { after: failed('refused'), retries: { unreachable: 1 }, does: 'abort' },
  'a refused connection to a target that was there': {
    after: failed('refused', 'POST'),
    state: reached,
    retries: { unreachable: 2 },
    does: 'retry after 2000 ms',
  },
  'a refused connection to a target that was there, after three retries': {
    after: failed('refused'),
    state: reached,
    retries: { unreachable: 3 },
    does: 'abort',
  },
  'a reset': { after: failed('reset'), does: 'retry at once' },
  'a reset, again': { after: failed('reset'), retries: { broken: 1 }, does: 'accept' },
  'a reset of a POST': { after: failed('reset', 'POST'), does: 'accept' },
  'a reset of a PATCH': { after: failed('reset', 'PATCH'), does: 'accept' },
  'a reset of a DELETE': { after: failed('reset', 'DELETE'), does: 'retry at once' },
  'a missed deadline': { after: failed('timeout'), does: 'retry at once' },
  'a missed deadline of a POST': { after: failed('timeout', 'POST'), does: 'accept' },
  'a 503 to a POST': { after: status(503, 'POST'), does: 'accept' },
  'a body that was cut off': { after: cutOff('closed'), does: 'retry at once' },
  'bytes that are not HTTP': { after: failed('not-http'), does: 'retry at once' },
  'a gateway timeout': { after: status(504), does: 'retry at once' },
  'the third reset in a row': {
    after: failed('reset'),
    state: { broken: [failed('reset'), failed('reset'), failed('reset')] },
    does: 'retry after 400 ms',
  },
  'eight requests into the silence': { after: failed('timeout'), state: lost, does: 'probe' },
  'eight requests into the silence, one of them a create': {
    after: failed('timeout', 'POST'),
    state: lost,
    does: 'probe',
  },
  'eight requests into the silence, without a request to probe with': {
    after: failed('timeout'),
    state: lost,
    canProbe: false,
    does: 'abort',
  },
  'eight requests into the silence, after three probes': {
    after: failed('timeout'),
    state: { ...lost, probes: 3 },
    does: 'abort',
  },
  'a response between them': { after: status(200), state: lost, does: 'accept' },
  'eight responses that are not finished': {
    after: cutOff('timeout'),
    state: { ...reached, unfinished: 8 },
    does: 'abort',
  },
};

describe('the client after', () => {
  it.each(Object.entries(table))('%s', (_name, { after, state, retries, canProbe = true, does }) => {
    const decision = decide(after, {
      state: { ...initialState, ...state },
      retries: { limited: 0, unreachable: 0, broken: 0, ...retries },
      canProbe,
    });
    const shown =
      decision.action !== 'retry'
        ? decision.action
        : decision.delayMs === 0
          ? 'retry at once'
          : `retry after ${decision.delayMs} ms`;
    expect(shown).toBe(does);
  });
});

describe('the state of the target', () => {
  const after = (...exchanges: readonly Exchange[]): TargetState =>
    exchanges.reduce((state, exchange) => nextState(state, exchange, state.unanswered > 0), initialState);

  it('counts the requests that were sent into the silence, and forgets them after a response', () => {
    const silence = Array.from({ length: 9 }, () => failed('timeout'));
    expect(after(...silence)).toMatchObject({ reached: false, unanswered: 9, sentIntoSilence: 8 });
    expect(after(...silence, status(500))).toMatchObject({
      reached: true,
      unanswered: 0,
      sentIntoSilence: 0,
    });
  });

  it('counts requests that were under way together as one failure', () => {
    const together = Array.from({ length: 20 }, () => failed('reset')).reduce(
      (state, exchange) => nextState(state, exchange, false),
      initialState,
    );
    expect(together).toMatchObject({ unanswered: 20, sentIntoSilence: 0 });
  });

  it('knows what the loss of the target explains', () => {
    const [first, second, third] = [failed('reset'), failed('not-http'), failed('timeout')];
    expect(lostExchanges(after(status(200), first, second, third))).toEqual([first, third]);
    expect(lostExchanges(after(first, cutOff('reset')))).toEqual([]);
  });

  it('lets a target that restarts have time, and one that only responds wrongly none', () => {
    const broken = (count: number): TargetState => ({
      ...initialState,
      broken: Array.from({ length: count }, () => failed('reset')),
    });
    expect([1, 2, 5, 12, 13].map((count) => backoff(failed('reset'), broken(count)))).toEqual([
      0, 200, 1_600, 1_600, 0,
    ]);
    expect(backoff(cutOff('closed'), broken(5))).toBe(0);
  });
});
