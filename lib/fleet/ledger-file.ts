import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { z } from 'zod';
import { failureKinds, operationNames } from '../http/exchange/exchange.js';
import { jsonOf } from '../record/record-text.js';

/** A worker's ledger: a beginning, the start, a line for each request, and an end without which it is no ledger. */

/** The clock of all times is the worker's: epoch milliseconds with fractions. */
const beginSchema = z.strictObject({
  ledger: z.literal('begin'),
  format: z.literal('petstore-conformance-ledger/1'),
  /** The digest of the plan. */
  plan: z.string(),
  worker: z.int(),
  workers: z.int(),
  version: z.string(),
  node: z.string(),
  platform: z.string(),
});
const startSchema = z.strictObject({
  ledger: z.literal('start'),
  /** By the target's clock, epoch milliseconds: the same for every worker. */
  at: z.number(),
  /** The same moment by the worker's clock. */
  ownAt: z.number(),
});
const requestSchema = z.strictObject({
  ledger: z.literal('request'),
  /** Its place in the whole; below 0 if it measures the difference of the clocks. */
  number: z.int(),
  planned: z.number(),
  sent: z.number(),
  /** When the head of the response had come, or the failure was seen. */
  head: z.number(),
  status: z.int().nullable(),
  operation: z.enum(operationNames),
  connection: z.string().optional(),
  /** Those of the limits and the date: no other is needed, and no other is written. */
  headers: z.array(z.tuple([z.string(), z.string()])),
  failure: z.strictObject({ kind: z.enum(failureKinds), message: z.string() }).optional(),
  /** The animal that a creation left. */
  created: z.strictObject({ id: z.string(), name: z.string() }).optional(),
});
export type LedgerRequest = z.infer<typeof requestSchema>;
const endSchema = z.strictObject({
  ledger: z.literal('end'),
  requests: z.int(),
  withheld: z.int(),
  /** Requests that were no longer sent: the budget was spent, or the worker was interrupted. */
  unsent: z.int(),
  stopped: z.string().optional(),
  /** SHA-256 of all lines before this one, each with its line feed, in hexadecimal. */
  sha256: z.string(),
});

const ledgerLine = z.discriminatedUnion('ledger', [beginSchema, startSchema, requestSchema, endSchema]);
type LedgerLine = z.infer<typeof ledgerLine>;
type LineOf<Kind extends LedgerLine['ledger']> = Extract<LedgerLine, { ledger: Kind }>;

/** A whole ledger. */
export interface WorkerLedger {
  readonly name: string;
  readonly begin: LineOf<'begin'>;
  readonly start: LineOf<'start'>;
  readonly requests: readonly LedgerRequest[];
  readonly end: LineOf<'end'>;
  /** Its lines, without what a log put between them. */
  readonly text: string;
}

/** Writes a ledger line by line, to a file that must not be there yet, or to standard output. */
export class LedgerWriter {
  readonly #hash = createHash('sha256');
  readonly #descriptor: number;

  /** @param path `-` is standard output. Throws as the file system does. */
  constructor(path: string) {
    this.#descriptor = path === '-' ? 1 : openSync(path, 'wx');
  }

  write(line: Exclude<LedgerLine, { ledger: 'end' }>): void {
    const text = `${JSON.stringify(line)}\n`;
    this.#hash.update(text);
    writeSync(this.#descriptor, text);
  }

  end(line: Omit<LineOf<'end'>, 'ledger' | 'sha256'>): void {
    writeSync(
      this.#descriptor,
      `${JSON.stringify({ ledger: 'end', ...line, sha256: this.#hash.digest('hex') })}\n`,
    );
    if (this.#descriptor !== 1) closeSync(this.#descriptor);
  }
}

/** A ledger that can't be used; the message says why. */
export class InvalidLedger extends Error {
  override readonly name = 'InvalidLedger';
}

/**
 * Reads a ledger. In a log of standard output, other lines and what a collector puts before a line are passed over.
 * @throws InvalidLedger
 */
export function readLedger(text: string, name: string): WorkerLedger {
  const refuse = (why: string): never => {
    throw new InvalidLedger(`${name}: ${why}`);
  };
  const isLog = !/^\s*\{/.test(text) || /\.(?:log|txt)$/.test(name);
  const hash = createHash('sha256');
  let lines = '';
  let begin: LineOf<'begin'> | undefined;
  let start: LineOf<'start'> | undefined;
  let end: LineOf<'end'> | undefined;
  const requests: LedgerRequest[] = [];
  const whole = text.split('\n');
  const rest = whole.pop() ?? '';
  if (rest.trim() !== '') refuse('its last line was cut off');
  for (const [index, raw] of whole.entries()) {
    const at = raw.indexOf('{"ledger":');
    if (at < 0 && isLog) continue;
    const line = (isLog ? raw.slice(at) : raw).replace(/\r$/, '');
    const parsed = ledgerLine.safeParse(jsonOf(line));
    if (!parsed.success) return refuse(`line ${index + 1} is not a line of a ledger`);
    if (end) refuse(`line ${index + 1} stands after its end`);
    const { data } = parsed;
    lines += `${line}\n`;
    if (data.ledger !== 'begin' && !begin) refuse('it does not begin with its beginning');
    if (data.ledger === 'end') {
      end = data;
      if (data.sha256 !== hash.digest('hex')) refuse('a line was changed, added or removed');
      continue;
    }
    hash.update(`${line}\n`);
    if (data.ledger === 'begin') {
      if (begin) refuse('it begins twice');
      begin = data;
    } else if (data.ledger === 'start') {
      if (start) refuse('it starts twice');
      start = data;
    } else requests.push(data);
  }
  if (!begin) return refuse('it is empty');
  if (!end)
    return refuse(`worker ${begin.worker} did not get to its end: a ledger without its last line is none`);
  if (!start)
    return refuse(
      `worker ${begin.worker} never started${end.stopped === undefined ? '' : `: ${end.stopped}`}`,
    );
  if (end.requests !== requests.length)
    refuse(`its end counts ${end.requests} requests, it has ${requests.length}`);
  return { name, begin, start, requests, end, text: lines };
}
