import type { Exchange } from '../evidence/exchange.js';
import { parseJson } from '../specification/json-value.js';
import { valueText } from '../evidence/animal.js';

type Members = Readonly<Record<string, unknown>>;

/** An animal is compared as often as a listing shows it; what was sent for it stays the same. */
const bodiesSent = new WeakMap<Exchange, Members>();

/** The members of the JSON object that was sent; none if the body was not one. */
export function bodySent(exchange: Exchange): Members {
  const known = bodiesSent.get(exchange);
  if (known) return known;
  const parsed = parseJson(exchange.request.body ?? '');
  const sent = parsed.ok ? { ...membersOf(parsed.value) } : {};
  bodiesSent.set(exchange, sent);
  return sent;
}

function membersOf(json: unknown): Members {
  return typeof json === 'object' && json !== null ? (json as Members) : {};
}

/** The fields of a Pet (section 2) beside its identifier. Others that a target adds may change between responses. */
const fields = ['name', 'categoryId', 'status'] as const;

/** Whether two responses show the same fields. */
export function showSame(one: Exchange, other: Exchange): boolean {
  const [first, second] = [membersOf(one.json), membersOf(other.json)];
  return fields.every((field) => valueText(first[field]) === valueText(second[field]));
}

/** What requests that must not change an animal would have made of it. */
export interface Attempt {
  readonly name: string;
  /** Undefined if the target refuses every status that is given. */
  readonly status?: string | undefined;
}
