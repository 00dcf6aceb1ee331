import { once } from 'node:events';
import { clusterCells } from '../lib/reference/cluster/cells.js';
import { faults as functionalFaults } from '../lib/reference/faults/faults.js';
import { limitFaults } from '../lib/reference/faults/limits/limit-faults.js';
import { referenceKeys } from '../lib/reference/keys.js';
import { combineOptions, type ReferenceOptions } from '../lib/reference/options.js';
import { serveReference, type ReferenceService } from '../lib/reference/serve.js';
import { variants as functionalVariants } from '../lib/reference/variants/variants.js';
import { limitVariants } from '../lib/reference/variants/limit-variants.js';
import { checkCommandLine, invocationOf, optionLines } from '../lib/options/command-line.js';
import { listOf, nameIn, onOff, option, wholeNumber } from '../lib/options/options-schema.js';
import { UsageProblem } from '../lib/explain/usage-problem.js';
import { interruption, print, runCommand } from './run-command.js';

/** `npm run reference`: serves the embedded reference service for people to explore, until Ctrl-C. */

interface Named {
  readonly name: string;
  readonly title: string;
  readonly options: ReferenceOptions;
}

const faults: readonly Named[] = [...functionalFaults, ...limitFaults];
const variants: readonly Named[] = [
  ...functionalVariants,
  ...limitVariants.map(({ name, title, options: wanted, ahead = 0 }) => ({
    name,
    title,
    options: ahead === 0 ? wanted : { ...wanted, now: () => Date.now() + ahead },
  })),
];

const namesOf = (known: readonly Named[]): string[] => known.map(({ name }) => name);
const options = {
  port: option(wholeNumber(0, 65_535), { value: 'N', help: 'listen on this port (default: a free one)' }),
  fault: option(listOf(nameIn(namesOf(faults), 'fault')), { value: 'NAME,…', help: 'with these bugs' }),
  variant: option(listOf(nameIn(namesOf(variants), 'variant')), {
    value: 'NAME,…',
    help: 'with these conforming differences',
  }),
  cluster: option(
    nameIn(
      clusterCells.map(({ name }) => name),
      'cluster',
    ),
    {
      value: 'NAME',
      help: 'as five nodes behind a balancer: round-robin/per-node, source-address/per-node, …',
    },
  ),
  list: onOff({ help: 'print the names of the faults, the variants and the clusters' }),
  help: onOff({ help: 'this text', short: 'h' }),
};

function lists(): string {
  const sections = { fault: faults, variant: variants, cluster: clusterCells };
  return Object.entries(sections)
    .map(([option, rows]) => {
      const lines = rows.map(({ name, title }) => `  ${name.padEnd(40)} ${title}\n`);
      return `--${option}=NAME\n${lines.join('')}`;
    })
    .join('\n');
}

function greeting({ baseUrl }: ReferenceService): string {
  const plans = Object.entries(referenceKeys).map(
    ([plan, { key, perMinute, perDay }]) => `  ${plan}: ${key} (${perMinute} a minute, ${perDay} a day)\n`,
  );
  return `The reference service listens on ${baseUrl}. Its keys:

${plans.join('')}
  curl -i -H 'Authorization: Bearer ${referenceKeys.free.key}' ${baseUrl}/pets

Ctrl-C ends it.
`;
}

async function main(argv: readonly string[]): Promise<number> {
  const { help, list, fault = [], variant = [], cluster, port = 0 } = checkCommandLine(argv, options);
  if (help)
    return print(
      `${invocationOf('reference', process.argv)} [options]: serves the reference service on loopback until Ctrl-C.\n\n${optionLines(options)}\n`,
    );
  if (list) return print(lists());
  const asked = [
    ...variants.filter(({ name }) => variant.includes(name)),
    ...faults.filter(({ name }) => fault.includes(name)),
  ].map((named) => named.options);
  const cell = clusterCells.find(({ name }) => name === cluster);
  const service = await serveReference(combineOptions(...asked, cell?.options() ?? {}, { port })).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.syscall !== 'listen') throw error;
      throw new UsageProblem(`can't listen on port ${port} (${error.code}): choose another --port`, {
        cause: error,
      });
    },
  );
  print(greeting(service));
  await once(interruption('stopping the service'), 'abort');
  await service.close();
  return 0;
}

await runCommand('reference', main);
