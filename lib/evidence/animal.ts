import { isObject, writeJson } from '../specification/json-value.js';

/** The fields of a Pet (section 2) beside its identifier. */
export const petFields = ['name', 'categoryId', 'status'] as const;

export interface Animal {
  /** As text: 64-bit integers are compared digit by digit, and a target may (against section 2) send ids as strings. */
  readonly id: string;
  readonly shown: Readonly<Record<string, unknown>>;
}

/** The animal that a parsed value shows; undefined if it has no identifier that a path could name. */
export function animalOf(value: unknown): Animal | undefined {
  if (!isObject(value)) return undefined;
  const { id } = value;
  const isNamed =
    typeof id === 'string' ? /^-?\d+$/.test(id) : typeof id === 'bigint' || Number.isSafeInteger(id);
  return isNamed ? { id: String(id), shown: value } : undefined;
}

/** A property's value for comparing and showing: integers by their digits, texts in quotes. */
export function valueText(value: unknown): string {
  return value === undefined ? 'absent' : writeJson(value);
}

/** Whether two values of a property are the same, as `valueText` shows them. */
export function isSameValue(one: unknown, other: unknown): boolean {
  return one === other || (typeof one === 'object' && valueText(one) === valueText(other));
}

/** Whether two responses show the same fields of an animal: others that a target adds may change. */
export function showsSame(one: Animal | undefined, other: Animal | undefined): boolean {
  // Equal texts have one value.
  if (one?.shown === other?.shown) return true;
  return petFields.every((field) => isSameValue(one?.shown[field], other?.shown[field]));
}

/** An animal in a line, for a finding: its identifier, and what a listing is judged by. */
export function describeAnimal({ id, shown }: Animal): string {
  return `id ${id}, name ${valueText(shown.name)}, status ${valueText(shown.status)}`;
}
