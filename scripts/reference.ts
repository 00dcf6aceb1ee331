import { once } from 'node:events';
import { faults as functionalFaults } from '../lib/reference/faults/faults.js';
import { limitFaults } from '../lib/reference/faults/limits/limit-faults.js';
import { referenceKeys } from '../lib/reference/keys.js';
import { combineOptions } from '../lib/reference/options.js';
import { serveReference } from '../lib/reference/serve.js';
import { variants as functionalVariants } from '../lib/reference/variants/variants.js';
import { limitVariants } from '../lib/reference/variants/limit-variants.js';
import { checkCommandLine, invocationOf } from '../lib/options/command-line.js';
import { listOf, oneOf, onOff, option, wholeNumber } from '../lib/options/option.js';
import { UsageProblem } from '../lib/explain/usage-problem.js';
import { interruption, print } from './run-command.js';

const known = {
  variant: [
    ...functionalVariants,
    ...limitVariants.map(({ ahead = 0, name, title, options }) => {
      return { name, title, options: { ...options, now: () => Date.now() + ahead } };
    }),
  ],
  fault: [...functionalFaults, ...limitFaults],
};
const kinds = ['variant', 'fault'] as const;

function named(kind: keyof typeof known) {
  const names = known[kind].map(({ name }) => name);
  return listOf(oneOf(names, kind));
}

const options = {
  port: option(wholeNumber(0, 65_535), 'N', 'listen on this port (default: a free one)'),
  fault: option(named('fault'), 'NAME,…', 'with these bugs'),
  variant: option(named('variant'), 'NAME,…', 'with these conforming differences'),
  list: onOff('print the names of the faults and the variants'),
};

/** `reference`: serves the embedded reference service for people to explore, until Ctrl-C. */
export async function main(argv: readonly string[]): Promise<number> {
  const { values } = checkCommandLine(argv, {
    name: invocationOf('reference'),
    options,
    summary: 'Serves the reference service on loopback until Ctrl-C.',
  });
  const { list, port = 0 } = values;
  if (list) {
    for (const kind of kinds)
      for (const { name, title } of known[kind]) print(`--${kind}=${name.padEnd(40)} ${title}\n`);
    return 0;
  }
  const chosen = kinds.flatMap((kind) => known[kind].filter(({ name }) => values[kind]?.includes(name)));
  const { baseUrl, close } = await serveReference(
    combineOptions(...chosen.map((one) => one.options), { port }),
  ).catch((error: NodeJS.ErrnoException) => {
    if (error.syscall !== 'listen') throw error;
    throw new UsageProblem(`can't listen on port ${port} (${error.code}): choose another --port`, {
      cause: error,
    });
  });
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
