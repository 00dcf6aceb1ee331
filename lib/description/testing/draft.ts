import { pathOf } from '../../specification/json-value.js';

/** A description in the making: JSON that a test changes at will. */
export type Draft = Record<string, unknown>;

function parentOf(draft: Draft, keys: readonly string[]): Draft {
  return keys.slice(0, -1).reduce<Draft>((within, key) => {
    const child = within[key];
    if (typeof child !== 'object' || child === null) throw new Error(`the draft has no ${keys.join('/')}`);
    return child as Draft;
  }, draft);
}

/** Sets what stands at a JSON pointer; its parent has to be there. */
export function put(draft: Draft, pointer: string, value: unknown): void {
  const keys = pathOf(pointer);
  parentOf(draft, keys)[keys.at(-1) ?? ''] = value;
}

/** Takes away what stands at a JSON pointer, which has to be there: an edit that changes nothing proves nothing. */
export function drop(draft: Draft, pointer: string): void {
  const keys = pathOf(pointer);
  const parent = parentOf(draft, keys);
  const key = keys.at(-1) ?? '';
  if (!Object.hasOwn(parent, key)) throw new Error(`the draft has no ${pointer}`);
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete parent[key];
}

/** Gives what stands at a pointer another key beside it: an operation another path or method. */
export function rename(draft: Draft, pointer: string, to: string): void {
  const keys = pathOf(pointer);
  const value = parentOf(draft, keys)[keys.at(-1) ?? ''];
  drop(draft, pointer);
  put(draft, to, value);
}
