import type { Exchange } from '../evidence/exchange.js';
import type { Fact, Finding, Observation } from '../evidence/record/record.js';
import type { RequirementId } from '../specification/catalogue.js';
import type { Ended } from './outcome.js';
import { reproduceInTurn } from './reproduce.js';

/**
 * What a rule says. A finding makes the verdict `fail` or `warn`, an open part `inconclusive`, and without any comparison
 * there was nothing to judge.
 */
export interface Check {
  readonly held?: number;
  readonly finding?: Finding;
  readonly observation?: Observation;
  /** A part that the evidence allows no judgement of. */
  readonly open?: Pick<Ended, 'reason' | 'see'>;
  readonly note?: string;
}

export type Checks = Iterable<Check>;

export const passed: Check = { held: 1 };

/** What a check says that did not hold. By default its command is the request of the last response, and the fact its field. */
export type Failure = Omit<Finding, 'exchanges'>;

/** The responses that a check is made on; a report shows them if the check fails. */
type On = Exchange | readonly Exchange[];

/** Characters of a value that tell one defect from another. */
const longestValue = 80;
/** Exchanges that a command sends again one after the other: two that are compared, and one between them. */
const mostInTurn = 3;

/** A comparison that does not hold. What came last is received, and all is sent again in turn, unless the failure says otherwise. */
export function failed(on: On, failure: Failure): Check {
  const exchanges = [on].flat();
  const last = exchanges.at(-1);
  const isPair = exchanges.length > 1 && exchanges.length <= mostInTurn;
  const shown = exchanges.findLast(({ credential }) => credential === 'valid') ?? last;
  const { reproduce = isPair ? reproduceInTurn(exchanges) : shown?.curl, ...text } = failure;
  const [expected, received] = contrasted(failure.expected, failure.received ?? String(last));
  const ids = exchanges.map(({ id }) => id);
  return { finding: { ...text, expected, received, exchanges: ids, reproduce, fact: factOf(failure, last) } };
}

/** What a check of a header found that does not hold. @param values those that came; several are one too many */
export function wrongHeader(header: string, values: readonly string[]): Fact {
  const problem = values.length === 0 ? 'missing' : values.length > 1 ? 'repeated' : 'wrong';
  return { kind: 'header', header, problem };
}

/** What a failure is about, with the response that shows it. */
function factOf({ fact, pointer }: Failure, response: Exchange | undefined): Fact {
  const { operation, status, json } = response ?? {};
  const field = pointer?.split('/').at(-1) ?? '';
  const parameters = operation === 'listPets' ? [...(response?.query.keys() ?? [])].sort().join(' ') : '';
  // A failure at a place in a body is about that field: of an Error its form, of an animal its value.
  const ofField: Fact =
    (status ?? 0) >= 400 ? { kind: 'body', form: 'Error', field } : { kind: 'value', field };
  const about = fact ?? (field === '' ? { kind: 'response' } : ofField);
  // Several responses may wrap what they hold in the same way: of another form, the first member tells.
  const isWhole = about.kind === 'body' && about.field === '' && typeof json === 'object' && json !== null;
  const wrapper = isWhole && !Array.isArray(json) ? Object.keys(json)[0] : undefined;
  const value = about.value ?? wrapper?.slice(0, longestValue);
  return { ...about, value, operation: operation ?? undefined, status, parameters: parameters || undefined };
}

/** A comparison. `failure` is asked for only if it does not hold. */
export function check(holds: boolean, on: On, failure: () => Failure): Check {
  return holds ? passed : failed(on, failure());
}

/** A part that the evidence allows no judgement of. @param see the requirement that judges what keeps this one from it */
export function open(reason: string, see?: RequirementId): Check {
  return { open: { reason, see } };
}

/** A part that can't be judged because of what another requirement judges. @param subject by default the whole */
export function left(to: RequirementId, subject = 'it'): Check {
  return open(`${subject} depends on another requirement`, to);
}

export function observed(subject: string, behaviour: string, ...on: readonly Exchange[]): Check {
  return { observation: { subject, behaviour, exchanges: on.map(({ id }) => id) } };
}

/** What a reader has to know beside the verdict. */
export function note(text: string): Check {
  return { note: text };
}

/** How a text looks: composed or not, format characters and variation selectors left out, and every space alike. */
function looks(text = ''): string {
  const seen = text.normalize('NFKC').replace(/[\p{Cf}\p{Variation_Selector}]/gu, '');
  return seen.replace(/\s+/gu, ' ');
}

/** What was expected and what came. If the two differ and look the same, each space of several and what is not ASCII is escaped. */
export function contrasted(expected: string | undefined, received: string): readonly (string | undefined)[] {
  if (expected === received || looks(expected) !== looks(received)) return [expected, received];
  const escape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return [expected, received].map((text) => text?.replace(/[^\u0020-\u007e]| (?= )|(?<= ) /g, escape));
}
