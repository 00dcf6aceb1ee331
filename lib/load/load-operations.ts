import { operationNames, type OperationName } from '../evidence/recorded-exchange.js';

/** How often each operation is sent, relative to the others. */
export type Mix = Readonly<Partial<Record<OperationName, number>>>;

/** Reads `listPets:8,createPet:1,getPet:1`; undefined for an operation that does not exist or stands twice, or no share. */
export function mixOf(text: string): Mix | undefined {
  const mix = new Map<OperationName, number>();
  for (const part of text.split(',')) {
    const [, typed = '', share = '1'] = /^\s*(\w+)(?::(\d{1,3}))?\s*$/.exec(part) ?? [];
    const name = operationNames.find((known) => known.toLowerCase() === typed.toLowerCase());
    if (name === undefined || mix.has(name)) return undefined;
    mix.set(name, Number(share));
  }
  return [...mix.values()].some((share) => share > 0) ? Object.fromEntries(mix) : undefined;
}

/**
 * The operation of each request of a load, from 0: each as evenly spread as its share allows (smooth weighted round
 * robin). The same mix gives the same order.
 */
export function operationsOf(mix: Mix): (index: number) => OperationName {
  const shares = operationNames.map((name) => ({ name, share: mix[name] ?? 0, credit: 0 }));
  const total = shares.reduce((sum, { share }) => sum + share, 0);
  const cycle = Array.from({ length: total }, () => {
    for (const one of shares) one.credit += one.share;
    const next = shares.reduce((most, one) => (one.credit > most.credit ? one : most));
    next.credit -= total;
    return next.name;
  });
  return (index) => cycle[index % total] ?? 'listPets';
}
