import { requirementIds } from '../../../lib/specification/catalogue.js';

/** Fields whose values the schemas restrict to a few words: data can't stand in them. */
const closed = new Set([
  'verdict',
  'level',
  'profile',
  'limits',
  'plan',
  'operation',
  'credential',
  'input',
  'kind',
  'format',
  'histogram',
  'outcome',
]);

const ids: ReadonlySet<string> = new Set(requirementIds);

/** The same record or exchange with a payload at the end of every text in it that is free. */
export function distorted<T>(value: T, payload: string): T {
  return walk(value, payload) as T;
}

function walk(value: unknown, payload: string): unknown {
  if (typeof value === 'string') return ids.has(value) ? value : `${value}${payload}`;
  if (Array.isArray(value)) return value.map((inner: unknown) => walk(inner, payload));
  if (typeof value !== 'object' || value === null) return value;
  const classId = 'counts' in value ? ['id'] : [];
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]: [string, unknown]) => [
      key,
      closed.has(key) && (typeof inner === 'string' || inner === null)
        ? inner
        : classId.includes(key)
          ? inner
          : walk(inner, payload),
    ]),
  );
}
