import { Agent, request } from 'undici';
import { FaultNotSeen, type WireTarget } from './fault.js';

/** What came back, as it was on the wire. */
export interface WireResponse {
  readonly status: number;
  readonly text: string;
  /** The first value of a header, by its name in any case; undefined where it is absent. */
  readonly header: (name: string) => string | undefined;
  /** Every value of a header, in order. */
  readonly headers: (name: string) => string[];
  /** The body by the platform's own JSON parser: undefined where it is none. Long integers come rounded. */
  readonly json: () => unknown;
}

export interface WireRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base address. By default `/pets`. */
  readonly path?: string;
  /** The `Authorization` header; `null` for none. By default the key as a bearer token. */
  readonly authorization?: string | null;
  /** Sent as application/json. */
  readonly body?: string;
}

/** Connections of the looks alone, none of them kept for long: a service that has gone leaves nothing behind. */
const agent = new Agent({ keepAliveTimeout: 1_000, headersTimeout: 5_000, bodyTimeout: 5_000 });

/** Sends one request. Rejects if the connection breaks. */
export async function send(target: WireTarget, sent: WireRequest = {}): Promise<WireResponse> {
  const authorization = sent.authorization === undefined ? `Bearer ${target.key}` : sent.authorization;
  const response = await request(`${target.baseUrl}${sent.path ?? '/pets'}`, {
    dispatcher: agent,
    method: sent.method ?? 'GET',
    headers: {
      ...(authorization === null ? {} : { authorization }),
      ...(sent.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: sent.body ?? null,
    responseHeaders: 'raw',
  });
  const text = await response.body.text();
  // With responseHeaders: 'raw' undici hands over name and value in turn; its types still say a record.
  const raw = response.headers as unknown as readonly string[];
  const headers = (name: string): string[] =>
    raw.filter((_value, place) => place % 2 === 1 && raw[place - 1]?.toLowerCase() === name.toLowerCase());
  return {
    status: response.statusCode,
    text,
    header: (name) => headers(name)[0],
    headers,
    json: () => parsed(text),
  };
}

/** Creates an animal from the JSON of these fields, after a name, a category and a status that nobody can refuse. */
export async function create(
  target: WireTarget,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<WireResponse & { readonly id: string }> {
  const body = { name: 'Rex', categoryId: 7, status: 'available', ...fields };
  return created(target, JSON.stringify(body));
}

/** Creates an animal from a body in words, which may hold integers that JavaScript's numbers can't. */
export async function created(
  target: WireTarget,
  body: string,
): Promise<WireResponse & { readonly id: string }> {
  const response = await send(target, { method: 'POST', body });
  return { ...response, id: /"id":"?(-?\d+)/.exec(response.text)?.[1] ?? '' };
}

/** Creates many animals, one after the other. */
export async function createMany(target: WireTarget, count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) await create(target, { name: `Rex ${made}` });
}

/** The listing that a query gives, as far as it is an array. */
export async function listed(target: WireTarget, query = ''): Promise<unknown[]> {
  const content = (await send(target, { path: `/pets${query}` })).json();
  return Array.isArray(content) ? content : [];
}

/** A field of a JSON object; undefined for anything else. */
export function field(content: unknown, name: string): unknown {
  if (typeof content !== 'object' || content === null) return undefined;
  return (content as Record<string, unknown>)[name];
}

/** @throws {FaultNotSeen} if the fault does not show */
export function expectOnWire(shown: boolean, what: string): asserts shown {
  if (!shown) throw new FaultNotSeen(`not seen: ${what}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
