import { once } from 'node:events';
import { faults as functionalFaults } from '../lib/reference/faults/faults.js';
import { limitFaults } from '../lib/reference/faults/limits/limit-faults.js';
import { referenceKeys } from '../lib/reference/keys.js';
import { combineOptions } from '../lib/reference/options.js';
import { serveReference } from '../lib/reference/serve.js';
import { variants as functionalVariants } from '../lib/reference/variants/variants.js';
import { limitVariants } from '../lib/reference/variants/limit-variants.js';
import { checkCommandLine } from '../lib/options/command-line.js';
import { listOf, oneOf, onOff, option, wholeNumber } from '../lib/options/option.js';
import { interruption, print } from './run-command.js';

const faults = [...functionalFaults, ...limitFaults];
const variants = [
  ...functionalVariants,
  ...limitVariants.map(({ ahead = 0, name, title, options }) => {
    return { name, title, options: { ...options, now: () => Date.now() + ahead } };
  }),
];
const namesOf = (all: ReadonlyArray<{ readonly name: string }>): string[] => all.map(({ name }) => name);

const options = {
  port: option(wholeNumber(0, 65_535), 'N', 'listen on this port (default: a free one)'),
  fault: option(listOf(oneOf(namesOf(faults), 'fault')), 'NAME,…', 'with these bugs'),
  variant: option(listOf(oneOf(namesOf(variants), 'variant')), 'NAME,…', 'with these conforming differences'),
  list: onOff('print the names of the faults and the variants'),
};

/** `reference`: serves the embedded reference service for people to explore, until Ctrl-C. */
export async function main(argv: readonly string[]): Promise<number> {
  const { values } = checkCommandLine(argv, {
    name: 'reference',
    options,
    summary: 'Serves the reference service on loopback until Ctrl-C.',
  });
  const { list, port = 0, fault, variant } = values;
  if (list) {
    for (const { name, title } of variants) print(`--variant=${name.padEnd(40)} ${title}`);
    for (const { name, title } of faults) print(`--fault=${name.padEnd(40)} ${title}`);
    return 0;
  }
  const chosen = [
    ...variants.filter(({ name }) => variant?.includes(name)),
    ...faults.filter(({ name }) => fault?.includes(name)),
  ];
  const { baseUrl, close } = await serveReference(
    combineOptions(...chosen.map((one) => one.options), { port }),
  );
  const keys = Object.entries(referenceKeys).map(
    ([plan, { key, perMinute, perDay }]) => `  ${plan}: ${key} (${perMinute} a minute, ${perDay} a day)\n`,
  );
  print(`The reference service listens on ${baseUrl}. Its keys:

${keys.join('')}
  curl -i -H 'Authorization: Bearer ${referenceKeys.free.key}' ${baseUrl}/pets

Ctrl-C ends it.
`);
  await once(interruption('stopping the service'), 'abort');
  await close();
  return 0;
}
