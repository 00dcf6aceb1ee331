import { oneOf, wholeNumberOf } from '../usage/numbers.js';
import { UsageProblem } from '../usage/usage-problem.js';
import { operationNames, type OperationName } from '../http/exchange/exchange.js';

/** How often each operation is asked, relative to the others. */
export type Mix = Readonly<Partial<Record<OperationName, number>>>;

/**
 * Reads a mix: `listPets:8,createPet:1,getPet:1`.
 * @throws UsageProblem for an operation that is none, one named twice, or shares that are all 0
 */
export function mixOf(text: string): Mix {
  const mix: Partial<Record<OperationName, number>> = {};
  for (const part of text.split(',').map((one) => one.trim())) {
    const [name = '', share = '1', ...more] = part.split(':');
    if (more.length > 0)
      throw new UsageProblem(`--mix: ${JSON.stringify(part)} is no operation with its share (listPets:8)`);
    const operation = operationOf(name);
    if (mix[operation] !== undefined) throw new UsageProblem(`--mix names ${operation} twice`);
    mix[operation] = wholeNumberOf(`--mix: the share of ${operation}`, share, 0, 1_000);
  }
  if (Object.values(mix).every((share) => share === 0))
    throw new UsageProblem('--mix asks for nothing: every share is 0');
  return mix;
}

function operationOf(name: string): OperationName {
  const lower = operationNames.map((known) => known.toLowerCase());
  const found = oneOf('--mix', name, lower);
  return operationNames[lower.indexOf(found)] ?? 'listPets';
}

/**
 * The operations of a mix one after the other, each as evenly spread as its share allows (smooth weighted round robin):
 * the same mix gives the same order.
 */
export function turnsOf(mix: Mix): () => OperationName {
  const shares = operationNames.map((name) => ({ name, share: mix[name] ?? 0, credit: 0 }));
  const total = shares.reduce((sum, { share }) => sum + share, 0);
  return () => {
    for (const one of shares) one.credit += one.share;
    const next = shares.reduce((most, one) => (one.credit > most.credit ? one : most));
    next.credit -= total;
    return next.name;
  };
}
