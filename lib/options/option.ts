import { z } from 'zod';
import { didYouMean } from '../explain/nearest-name.js';
import { UsageProblem } from '../explain/usage-problem.js';

/**
 * An option is written once: a zod schema for its value, and these facts for the command line, the environment and the
 * help. A program gives the value itself; on a command line and in the environment it is text, which the schema reads.
 */
interface OptionFacts {
  /** What stands for the value in the help: `--seed=N`. A switch, given or not, has none. */
  readonly value?: string;
  /** Its line in the help, which does not show an option without one. */
  readonly help?: string | undefined;
  /** Its name on the command line, if that is not its name in a program in kebab-case. */
  readonly flag?: string;
  /** The value is a key, or may be one if it looks like this: no message and no record repeats it. */
  readonly secret?: true | RegExp;
  /** The value that it has if it is given without one. */
  readonly bare?: string;
  /** Given more than once, each value counts. */
  readonly repeatable?: true;
  /** The heading in the help that it stands under. */
  readonly group?: string;
}

/** Options by their names in a program. */
export type Options = Readonly<Record<string, z.ZodType>>;
export type OptionValues<Some extends Options> = z.output<z.ZodObject<Some>>;

/** Values that are given, or have a default. */
export type Given<Values, Name extends keyof Values> = {
  readonly [One in Name]-?: NonNullable<Values[One]>;
};

/** What was typed for options: `true` for one without a value, a line for each time that one is given. */
export type Typed = Readonly<Record<string, string | true>>;

const facts = new WeakMap<z.ZodType, OptionFacts>();

/** An optional value, what stands for it in the help, and its line there. */
export function option<Value extends z.ZodType>(
  schema: Value,
  value = 'VALUE',
  help?: string,
  more: Omit<OptionFacts, 'value' | 'help'> = {},
): z.ZodOptional<Value> {
  const optional = schema.optional().meta({ description: help });
  facts.set(optional, { value, help, ...more });
  return optional;
}

/** A switch: given or not. */
export function onOff(help?: string) {
  const named: Readonly<Record<string, boolean>> = { true: true, false: false };
  return option(
    orText(z.boolean('must be true or false'), (typed) => named[typed]),
    '',
    help,
  );
}

/** The same options under a heading of the help. */
export function group<Some extends Options>(heading: string, options: Some): Some {
  for (const schema of Object.values(options)) facts.set(schema, { ...facts.get(schema), group: heading });
  return options;
}

export function factsOf(options: Options, name: string): OptionFacts {
  const schema = options[name];
  return (schema && facts.get(schema)) ?? {};
}

/** How an option is called on a command line: `--max-requests`. */
export function flagOf(options: Options, name: string): string {
  const inKebabCase = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return `--${factsOf(options, name).flag ?? inKebabCase}`;
}

// The message for a wrong value follows the name of its option: `--plan must be one of …`.

/** A schema that takes the text of a value, too; a text that has no meaning is left to it. */
function orText<Schema extends z.ZodType>(schema: Schema, valueOf: (typed: string) => unknown) {
  const read = (given: z.input<Schema>): unknown =>
    typeof given === 'string' ? (valueOf(given) ?? given) : given;
  return z.preprocess(read, schema);
}

export const anyText = z.string('must be text');
export const text = anyText.min(1, 'must not be empty');

/** Names that a message can list. */
const fewNames = 12;

/** One of names, in any case. The message for another one lists them, or if they are many says whose names they are. */
export function oneOf<const Name extends string>(
  names: readonly Name[],
  noun = 'value',
): z.ZodPreprocess<z.ZodEnum<{ [One in Name]: One }>> {
  const these = names.length > fewNames ? `the name of a ${noun}` : `one of ${names.join(', ')}`;
  return orText(z.enum(names, `must be ${these}`), (typed) =>
    names.find((name) => name.toLowerCase() === typed.toLowerCase()),
  );
}

export function wholeNumber(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}`;
  return orText(z.int(message).min(least, message).max(most, message), (typed) =>
    /^\s*\d+\s*$/.test(typed) ? Number(typed) : undefined,
  );
}

/** Milliseconds of `250ms`, `30s`, `5m`, `2h`; undefined for other texts. A number alone has no meaning. */
export function durationOf(text: string): number | undefined {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|min|h)$/.exec(text.trim()) ?? [];
  const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, min: 60_000, h: 3_600_000 };
  return number === undefined ? undefined : Number(number) * (units[unit] ?? Number.NaN);
}

/** Milliseconds: a number of them in a program, otherwise `250ms`, `30s`, `5m`. A typed number without a unit is refused. */
export function time(least: string, most: string) {
  const [from = 0, to = Infinity] = [least, most].map(durationOf);
  const message = `must be a time with its unit, from ${least} to ${most} (30s, 5m)`;
  const number = z.number().min(from, message).max(to, message);
  return z.union([number, readAs((typed) => number.safeParse(durationOf(typed)).data, message)], message);
}

export function listOf<Item extends z.ZodType>(item: Item, separator = ',') {
  return orText(z.array(item, 'must be a list').readonly(), (typed) => {
    const items = typed.split(separator).flatMap((part) => part.trim() || []);
    return items.length === 0 ? undefined : items;
  });
}

/** A value that a reader makes of a text; undefined means that the text has no meaning. */
export function readAs<Value>(reader: (text: string) => Value | undefined, message: string) {
  return z.string(message).transform((typed, context) => {
    const value = reader(typed);
    if (value !== undefined) return value;
    context.addIssue(message);
    return z.NEVER;
  });
}

const notAnInt64 = 'must be a 64-bit integer';
export const int64 = orText(z.union([z.int().transform(BigInt), z.int64(notAnInt64)], notAnInt64), (typed) =>
  /^\s*-?\d+\s*$/.test(typed) ? BigInt(typed) : undefined,
);

/**
 * Checks values against their options.
 * @param nameOf The name of an option in a message, by its path; a program's own name for it by default.
 * @throws UsageProblem that names the first wrong value and what it must be.
 */
export function checkOptions<const Some extends Options>(
  options: Some,
  values: unknown,
  nameOf: (path: readonly string[]) => string = (path) => path.join('.'),
): OptionValues<Some> {
  const checked = z.strictObject(options).safeParse(values, { reportInput: true });
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const path = issue?.path.filter((part) => typeof part === 'string') ?? [];
  if (issue?.code === 'unrecognized_keys') {
    const [unknown = ''] = issue.keys;
    const near = didYouMean(unknown, Object.keys(options));
    throw new UsageProblem(`unknown option ${[...path, unknown].join('.')}.${near}`);
  }
  if (!issue || path.length === 0) throw new UsageProblem('the options must be an object');
  const isSecret = factsOf(options, path[0] ?? '').secret !== undefined || path.at(-1) === 'apiKey';
  const { input, message } = issue;
  const shown = typeof input === 'bigint' ? String(input) : JSON.stringify(input);
  const got = isSecret || !message.startsWith('must be') ? '' : `; got ${shown}`;
  const near = issue.code === 'invalid_value' ? didYouMean(String(input), issue.values.map(String)) : '';
  throw new UsageProblem(`${nameOf(path)} ${message}${got}${near && `.${near}`}`);
}
