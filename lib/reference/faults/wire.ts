import { Agent, request as sendByUndici } from 'undici';
import { FaultNotSeen, type WireTarget } from './fault.js';

/** A response as it was on the wire. */
export interface WireResponse {
  readonly status: number;
  readonly text: string;
  /** The first value of a header, by its name in any case; undefined if it is absent. */
  readonly header: (name: string) => string | undefined;
  /** Every value of a header, in order. */
  readonly headers: (name: string) => string[];
  /** The body by the platform's own JSON parser; undefined if it is not JSON. Long integers are rounded. */
  readonly json: () => unknown;
}

export interface WireRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base address. By default `/pets`. */
  readonly path?: string;
  /** The `Authorization` header; `null` for none. By default the key as a bearer token. */
  readonly authorization?: string | null;
  /** Sent as application/json. */
  readonly body?: string | Uint8Array;
}

/** Connections of direct requests. They are not kept for long, as each service is closed soon. */
const agent = new Agent({ keepAliveTimeout: 1_000, headersTimeout: 5_000, bodyTimeout: 5_000 });

/** Sends one request. Rejects if the connection breaks. */
export async function send(target: WireTarget, request: WireRequest = {}): Promise<WireResponse> {
  const authorization = request.authorization === undefined ? `Bearer ${target.key}` : request.authorization;
  const response = await sendByUndici(`${target.baseUrl}${request.path ?? '/pets'}`, {
    dispatcher: agent,
    method: request.method ?? 'GET',
    headers: {
      ...(authorization === null ? {} : { authorization }),
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: request.body ?? null,
    responseHeaders: 'raw',
  });
  const text = await response.body.text();
  // With responseHeaders: 'raw' undici hands over name and value in turn; its types still describe a record.
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

/** Creates an animal with these fields, and a name, a category and a status unless they are given. */
export async function create(
  target: WireTarget,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<WireResponse & { readonly id: string }> {
  const body = { name: 'Rex', categoryId: 7, status: 'available', ...fields };
  return created(target, JSON.stringify(body));
}

/** Creates an animal from the text of a body, which may hold integers that a JavaScript number cannot. */
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
