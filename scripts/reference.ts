import { once } from 'node:events';
import { clusterCells } from '../lib/reference/cluster/cells.js';
import { faults as functionalFaults } from '../lib/reference/faults/faults.js';
import { limitFaults } from '../lib/reference/faults/limits/limit-faults.js';
import { referenceKeys } from '../lib/reference/keys.js';
import { combineOptions, type ReferenceOptions } from '../lib/reference/options.js';
import { serveReference, type ReferenceService } from '../lib/reference/serve.js';
import { variants as functionalVariants } from '../lib/reference/variants/variants.js';
import { limitVariants } from '../lib/reference/variants/limit-variants.js';
import { checkCommandLine, invocationOf } from '../lib/options/command-line.js';
import { listOf, nameIn, onOff, option, wholeNumber } from '../lib/options/option.js';
import { UsageProblem } from '../lib/explain/usage-problem.js';
import { interruption, print } from './run-command.js';

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

const namesOf = (known: ReadonlyArray<{ readonly name: string }>): string[] => known.map(({ name }) => name);
const options = {
  port: option(wholeNumber(0, 65_535), 'N', 'listen on this port (default: a free one)'),
  fault: option(listOf(nameIn(namesOf(faults), 'fault')), 'NAME,…', 'with these bugs'),
  variant: option(
    listOf(nameIn(namesOf(variants), 'variant')),
    'NAME,…',
    'with these conforming differences',
  ),
  cluster: option(nameIn(namesOf(clusterCells), 'cluster'), 'NAME', 'as five nodes behind a balancer'),
  list: onOff('print the names of the faults, the variants and the clusters'),
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

/** `reference`: serves the embedded reference service for people to explore, until Ctrl-C. */
export async function main(argv: readonly string[]): Promise<number> {
  const { values } = checkCommandLine(argv, {
    name: invocationOf('reference'),
    options,
    summary: 'Serves the reference service on loopback until Ctrl-C.',
  });
  const { list, fault = [], variant = [], cluster, port = 0 } = values;
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
