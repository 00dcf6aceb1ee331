import { Exchange } from '../../evidence/exchange.js';
import type { FailureKind, RecordedExchange } from '../../evidence/recorded-exchange.js';
import { writeJson } from '../../specification/json-value.js';

/** What a test says of an exchange; everything else is that of a listing with status 200. */
export interface Sketch extends Partial<
  Pick<RecordedExchange, 'id' | 'purpose' | 'operation' | 'credential' | 'sentAt' | 'repeats'>
> {
  readonly method?: string;
  /** Behind the base address. */
  readonly path?: string;
  /** The JSON value that was sent, or the text of a body that is not JSON. */
  readonly sent?: unknown;
  /** `null`: no response came. */
  readonly status?: number | null;
  readonly headers?: ReadonlyArray<[string, string]>;
  /** The JSON value of the response's body. */
  readonly json?: unknown;
  /** A body's text, in the place of `json`. */
  readonly text?: string;
  readonly failure?: FailureKind;
  /** Milliseconds. */
  readonly total?: number;
}

let made = 0;

/** An exchange as a run records it. */
export function exchangeOf(sketch: Sketch = {}): Exchange {
  made += 1;
  const { status = 200, sent, json, text = json === undefined ? undefined : writeJson(json) } = sketch;
  const body = text === undefined ? { bytes: 0, text: '' } : { bytes: Buffer.byteLength(text), text };
  const exchange: RecordedExchange = {
    id: sketch.id ?? `e${made}`,
    purpose: sketch.purpose ?? 'LIST-01',
    operation: sketch.operation === undefined ? 'listPets' : sketch.operation,
    credential: sketch.credential ?? 'valid',
    sentAt: sketch.sentAt ?? '2026-03-01T12:00:00.000Z',
    request: {
      method: sketch.method ?? 'GET',
      url: `http://127.0.0.1:1/v1${sketch.path ?? '/pets'}`,
      headers: sent === undefined ? [] : [['Content-Type', 'application/json']],
      ...(sent === undefined ? {} : { body: typeof sent === 'string' ? sent : writeJson(sent) }),
    },
    timing: { wait: 0, total: sketch.total ?? 1 },
  };
  if (status !== null) {
    exchange.response = {
      status,
      headers: (sketch.headers ?? []).map(([name, value]) => [name, value]),
      body,
    };
  }
  if (sketch.failure) exchange.failure = { kind: sketch.failure, message: `it failed (${sketch.failure})` };
  if (sketch.repeats !== undefined) exchange.repeats = sketch.repeats;
  return new Exchange(exchange);
}

/** The creation of an animal that the target took. */
export function creationOf(animal: Readonly<Record<string, unknown>>, sketch: Sketch = {}): Exchange {
  const { id: _id, ...sent } = animal;
  return exchangeOf({
    operation: 'createPet',
    method: 'POST',
    purpose: 'CREATE-01',
    status: 201,
    sent,
    json: animal,
    ...sketch,
  });
}
