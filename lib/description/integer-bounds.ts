import type { DescriptionNode } from './description-node.js';

/** The integers that a schema's bounds let through; undefined where it has no bound. */
export interface IntegerBounds {
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
}

function numberAt(node: DescriptionNode, keyword: string): number | undefined {
  const { value } = node.at(keyword);
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
}

/**
 * Reads bounds in both spellings: OpenAPI 3.0 makes a bound exclusive by a boolean beside it, 3.1 has
 * `exclusiveMinimum` and `exclusiveMaximum` as numbers of their own (JSON Schema 2020-12 6.2). Of integers,
 * `exclusiveMinimum: 0` says the same as `minimum: 1`.
 */
export function integerBounds(schema: DescriptionNode): IntegerBounds {
  const minimum = numberAt(schema, 'minimum');
  const maximum = numberAt(schema, 'maximum');
  const above = schema.at('exclusiveMinimum').value === true ? minimum : numberAt(schema, 'exclusiveMinimum');
  const below = schema.at('exclusiveMaximum').value === true ? maximum : numberAt(schema, 'exclusiveMaximum');
  return {
    minimum: tighter(
      Math.max,
      minimum && Math.ceil(minimum),
      above === undefined ? undefined : Math.floor(above) + 1,
    ),
    maximum: tighter(
      Math.min,
      maximum && Math.floor(maximum),
      below === undefined ? undefined : Math.ceil(below) - 1,
    ),
  };
}

/** Both bounds hold where both are there. */
export function tighter(
  choose: (one: number, other: number) => number,
  one: number | undefined,
  other: number | undefined,
): number | undefined {
  if (one === undefined) return other;
  return other === undefined ? one : choose(one, other);
}
