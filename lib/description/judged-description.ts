import { runInNewContext } from 'node:vm';
import type { Exchange } from '../evidence/exchange.js';
import { open, type Check } from '../verdict/check.js';
import { compareDescription } from './compare-description.js';
import { loadDescription, type Description, type DescriptionFile } from './description.js';
import { judgeResponses } from './judge-responses.js';

const timeout = 2_000;
const tooLarge = open('the schemas of the interface description nest too deep, or take too long to be tried');

/** The checks of a requirement; open ones if the description can't be used. */
export type JudgedDescription = (id: string, exchanges: readonly Exchange[]) => Check[];

/** Judges the description that a source names, by what was read of it. */
export function judgedDescription(
  source: string,
  { text, problem }: Partial<DescriptionFile> = {},
): JudgedDescription {
  let description: Description;
  try {
    if (text === undefined) throw new Error(problem ?? 'it is not recorded');
    description = loadDescription(text);
  } catch (error) {
    const [line = ''] = (error as Error).message.split('\n');
    // Without the control characters that the document may put there.
    const reason = line.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ').slice(0, 300);
    return () => [open(`The interface description ${source} can't be used: ${reason}`)];
  }
  const compared = bounded(compareDescription(description), ['DESC-03', tooLarge]);
  return (id, exchanges) =>
    id === 'DESC-06'
      ? bounded(judgeResponses(description, exchanges), tooLarge)
      : compared.flatMap(([one, check]) => (one === id ? check : []));
}

/**
 * What a generator makes of the schemas of a target: a `pattern`, or compositions of compositions, may not end by themselves.
 * @param rest stands for what they nest too deep for, or take too long for
 */
function bounded<Made>(generated: Iterable<Made>, rest: Made): Made[] {
  const made: Made[] = [];
  const make = (): void => {
    for (const one of generated) made.push(one);
  };
  try {
    runInNewContext('make()', { make }, { timeout });
  } catch (error) {
    const isLate = Reflect.get(Object(error), 'code') === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    if (!isLate && !(error instanceof RangeError)) throw error;
    made.push(rest);
  }
  return made;
}
