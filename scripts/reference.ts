import { parseArgs } from 'node:util';
import { closest } from 'fastest-levenshtein';
import { faults as functionalFaults } from '../lib/reference/faults/faults.js';
import { limitFaults } from '../lib/reference/faults/limits/limit-faults.js';
import { referenceKeys } from '../lib/reference/keys.js';
import { combineOptions, type ReferenceOptions } from '../lib/reference/options.js';
import { serveReference, type ReferenceService } from '../lib/reference/serve.js';
import { variants as functionalVariants } from '../lib/reference/variants/variants.js';
import { limitVariants } from '../lib/reference/variants/limit-variants.js';

/** `npm run reference`: serves the embedded reference service for people to explore, until Ctrl-C. */

const help = `Serves the reference service on the loopback interface, until Ctrl-C.

  npm run reference -- [options]

  --port=N          listen on this port (default: a free one)
  --fault=NAME      with this bug; may be given more than once
  --variant=NAME    with this conforming difference; may be given more than once
  --list            name the faults and the variants
  --help            this text
`;

const faults = [...functionalFaults, ...limitFaults];
const variants = [
  ...functionalVariants,
  ...limitVariants.map(({ name, title, options: wanted, ahead = 0 }) => ({
    name,
    title,
    options: ahead === 0 ? wanted : { ...wanted, now: () => Date.now() + ahead },
  })),
];

/** What was asked for can't be done: said without a stack trace, exit code 2. */
class UsageError extends Error {}

const options = {
  port: { type: 'string' },
  fault: { type: 'string', multiple: true },
  variant: { type: 'string', multiple: true },
  list: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** The options that a kind's name stands for. */
function named(
  kind: 'fault' | 'variant',
  known: readonly { readonly name: string; readonly options: ReferenceOptions }[],
  name: string,
): ReferenceOptions {
  const found = known.find((one) => one.name === name);
  if (found) return found.options;
  const nearest = closest(
    name,
    known.map((one) => one.name),
  );
  throw new UsageError(`There is no ${kind} ${name}. Did you mean ${nearest}? --list names them all.`);
}

function portOf(text: string | undefined): number {
  if (text === undefined) return 0;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new UsageError(`--port=${text} is no port: give a number from 0 (any free one) to 65535.`);
  }
  return port;
}

function parse(args: readonly string[]) {
  // Read leniently first, so that a mistyped option can be told its nearest.
  const { tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind === 'positional') throw new UsageError(`${token.value} is no option. --help names them.`);
    if (token.kind === 'option' && !(token.name in options)) {
      const nearest = closest(token.name, Object.keys(options));
      throw new UsageError(`There is no option ${token.rawName}. Did you mean --${nearest}?`);
    }
  }
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function lists(): string {
  const lines = (rows: readonly { readonly name: string; readonly title: string }[]): string => {
    const width = Math.max(...rows.map(({ name }) => name.length));
    return rows.map(({ name, title }) => `  ${name.padEnd(width)}  ${title}`).join('\n');
  };
  return `Faults (--fault=NAME)\n${lines(faults)}\n\nVariants (--variant=NAME)\n${lines(variants)}\n`;
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

async function start(): Promise<void> {
  const values = parse(process.argv.slice(2));
  if (values.help) {
    process.stdout.write(help);
    return;
  }
  if (values.list) {
    process.stdout.write(lists());
    return;
  }
  const port = portOf(values.port);
  const service = await serveReference(
    combineOptions(
      ...(values.variant ?? []).map((name) => named('variant', variants, name)),
      ...(values.fault ?? []).map((name) => named('fault', faults, name)),
      { port },
    ),
  );
  process.stdout.write(greeting(service));
  await interruption();
  await service.close();
}

/** Resolves at the first Ctrl-C. It stays caught: npm and tsx each pass the same one on, a moment later. */
function interruption(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve());
  });
}

/** A sentence for what stopped the start, where that lies with the caller. */
function explained(error: unknown): string | undefined {
  if (error instanceof UsageError) return error.message;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return 'The port is in use. Choose another one, or leave --port out for a free one.';
  if (code === 'EACCES') return 'The port needs rights that you do not have. Choose one above 1023.';
  return undefined;
}

try {
  await start();
} catch (error) {
  const sentence = explained(error);
  if (sentence === undefined) throw error;
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 2;
}
