import { once } from 'node:events';
import { z } from 'zod';
import { clusterCells } from '../lib/reference/cluster/cells.js';
import { faults as functionalFaults } from '../lib/reference/faults/faults.js';
import { limitFaults } from '../lib/reference/faults/limits/limit-faults.js';
import { referenceKeys } from '../lib/reference/keys.js';
import { combineOptions, type ReferenceOptions } from '../lib/reference/options.js';
import { serveReference, type ReferenceService } from '../lib/reference/serve.js';
import { variants as functionalVariants } from '../lib/reference/variants/variants.js';
import { limitVariants } from '../lib/reference/variants/limit-variants.js';
import { checkCommandLine, invocationOf, optionLines } from '../lib/usage/command-line.js';
import { nameIn, onOff, option, wholeNumber } from '../lib/usage/options-schema.js';
import { UsageProblem } from '../lib/usage/usage-problem.js';
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
const optional = { value: 'NAME', repeats: true } as const;
const options = {
  port: option(wholeNumber(0, 65_535), { value: 'N', help: 'listen on this port (default: a free one)' }),
  fault: option(z.array(nameIn(namesOf(faults), 'fault')), {
    ...optional,
    help: 'with this bug; may be given more than once',
  }),
  variant: option(z.array(nameIn(namesOf(variants), 'variant')), {
    ...optional,
    help: 'with this conforming difference; likewise',
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
  const lines = (rows: readonly { readonly name: string; readonly title: string }[]): string => {
    const width = Math.max(...rows.map(({ name }) => name.length));
    return rows.map(({ name, title }) => `  ${name.padEnd(width)}  ${title}`).join('\n');
  };
  return `Faults (--fault=NAME)\n${lines(faults)}\n\nVariants (--variant=NAME)\n${lines(variants)}\n\nClusters (--cluster=NAME)\n${lines(clusterCells)}\n`;
}

function greeting({ baseUrl }: ReferenceService): string {
  const figure = (requests: number, width: number): string => requests.toLocaleString('en').padStart(width);
  const plans = Object.entries(referenceKeys).map(
    ([plan, { key, perMinute, perDay }]) =>
      `  ${plan.padEnd(10)}  ${figure(perMinute, 10)}  ${figure(perDay, 9)}  ${key}`,
  );
  const { key } = referenceKeys.free;
  return `The reference service listens on ${baseUrl}

  plan        per minute    per day  key
${plans.join('\n')}

Ask it:
  curl -i -H 'Authorization: Bearer ${key}' ${baseUrl}/pets
  curl -i -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' \\
    -d '{"name":"Rex","categoryId":1}' ${baseUrl}/pets

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
