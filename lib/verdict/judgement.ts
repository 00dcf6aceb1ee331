import { effortOf } from '../evidence/curl.js';
import type { Fact, FactOfFailure } from '../evidence/record/fact.js';
import type { Finding, Observation, RequirementResult } from '../evidence/record/requirement-result.js';
import type { Exchange } from '../evidence/exchange.js';
import { isOwnRequirement, requirementRow, type RequirementId } from '../specification/catalogue.js';
import { byRank } from './by-rank.js';
import type { Checks } from './check.js';
import { Outcome, outcomeOf } from './outcome.js';

/** What a check says that did not hold. By default its command is the request of the last response, and the fact its field. */
export type Failure = Omit<Finding, 'exchanges' | 'fact'> & { readonly fact?: FactOfFailure };

/** The responses that a check is made on; a report shows them if the check fails. */
export type Evidence = Exchange | readonly Exchange[];

/** Findings that a result lists, and exchanges that a finding lists; more are counted. */
const mostFindings = 12;
const mostExchanges = 20;
/** Characters of a value that tell one defect from another. */
const longestValue = 80;

/**
 * One requirement while it is judged: counts the checks, and keeps findings, observations, notes and what could not be
 * judged. Nothing here throws because of what a target responds.
 */
export class Judgement {
  checks = 0;
  readonly findings: Finding[] = [];
  readonly observations: Observation[] = [];
  readonly notes = new Set<string>();
  /** Why a part could not be judged. */
  readonly open = new Set<string>();
  readonly #leftTo = new Set<RequirementId>();

  constructor(readonly id: RequirementId) {}

  /** Counts checks that held. */
  held(count = 1): void {
    this.checks += count;
  }

  /** Counts a check that did not hold. */
  fail(evidence: Evidence, failure: Failure): void {
    const responses = [evidence].flat();
    const shown = responses.findLast(({ credential }) => credential === 'valid') ?? responses.at(-1);
    const { reproduce = shown?.curl, fact: _fact, ...text } = failure;
    this.checks += text.occurrences ?? 1;
    this.findings.push({
      ...text,
      exchanges: responses.map(({ id }) => id),
      ...(reproduce !== undefined && { reproduce }),
      fact: factOf(failure, responses.at(-1)),
    });
  }

  /** A part of the requirement that the responses allow no judgement of. @param see the requirement that judges why */
  leaveOpen(reason: string, see?: RequirementId): void {
    this.open.add(this.#reasonOf(reason, see));
  }

  #reasonOf(reason: string, see: RequirementId | undefined): string {
    if (see === undefined || see === this.id) return reason;
    this.#leftTo.add(see);
    return `${reason} (see ${see})`;
  }

  note(text: string): void {
    this.notes.add(text);
  }

  observe(subject: string, behaviour: string, ...responses: readonly Exchange[]): void {
    this.checks += 1;
    this.observations.push({ subject, behaviour, exchanges: responses.map(({ id }) => id) });
  }

  /** The result of a requirement that was tried. @param thrown what ended the probe or the rule early */
  result(thrown?: unknown): RequirementResult {
    const { observations, notes } = this;
    const outcome = this.#outcome(thrown);
    return {
      ...catalogueFields(this.id),
      ...outcome,
      ...(this.#leftTo.size > 0 && { leftTo: [...this.#leftTo] }),
      checks: this.checks,
      findings: grouped(this.findings),
      ...(observations.length > 0 && { observations }),
      ...(notes.size > 0 && { notes: [...notes] }),
    };
  }

  #outcome(thrown: unknown): Pick<RequirementResult, 'verdict' | 'reason' | 'selected'> {
    const { level } = requirementRow(this.id);
    // What was found stays found, whatever kept the rest from being tried.
    if (this.findings.length > 0) return { verdict: whenFailed[level], selected: true };
    if (thrown !== undefined) {
      const { verdict, reason, selected, see } = outcomeOf(thrown);
      return { verdict, reason: this.#reasonOf(reason, see), selected };
    }
    if (this.checks === 0 && this.open.size === 0) this.open.add('nothing in this run triggered it');
    const reason = [...this.open].join('; ');
    if (reason !== '') return { verdict: 'inconclusive', reason, selected: true };
    return { verdict: level === 'OBSERVE' ? 'observed' : 'pass', selected: true };
  }
}

/** What a check of a header found that does not hold. @param values those that came; several are one too many */
export function wrongHeader(header: string, values: readonly string[]): FactOfFailure {
  const problem = values.length === 0 ? 'missing' : values.length > 1 ? 'repeated' : 'wrong';
  return { kind: 'header', header, problem };
}

/** What a failure is about, with the response that shows it. */
function factOf({ fact, pointer }: Failure, response: Exchange | undefined): Fact {
  const { operation, status, json } = response ?? {};
  const field = pointer?.split('/').at(-1) ?? '';
  const parameters = operation === 'listPets' ? [...(response?.query.keys() ?? [])].sort().join(' ') : '';
  // A failure at a place in a body is about that field: of an Error its form, of an animal its value.
  const ofField: FactOfFailure =
    (status ?? 0) >= 400 ? { kind: 'body', form: 'Error', field } : { kind: 'value', field };
  const about = fact ?? (field === '' ? { kind: 'response' } : ofField);
  // Several responses may wrap what they hold in the same way: of another form, the first member tells.
  const isWhole = about.kind === 'body' && about.field === '' && typeof json === 'object' && json !== null;
  const wrapper = isWhole && !Array.isArray(json) ? Object.keys(json)[0] : undefined;
  return {
    ...(wrapper !== undefined && { value: wrapper.slice(0, longestValue) }),
    ...about,
    ...(operation && { operation }),
    ...(status !== undefined && { status }),
    ...(parameters !== '' && { parameters }),
  };
}

const whenFailed = { MUST: 'fail', SHOULD: 'warn', OBSERVE: 'observed' } as const;

/**
 * The result of a requirement by the checks of its rule. Never throws: a rule ends with an outcome if the run as a whole
 * gives it nothing to judge.
 * @param ended what ended its probe early, if anything did; the result keeps it
 */
export function judgeRule(
  id: RequirementId,
  checks: () => Checks | RequirementResult,
  ended?: unknown,
): RequirementResult {
  const judgement = new Judgement(id);
  const { verdict, reason, selected, see } = outcomeOf(ended);
  const noted = ended !== undefined && { ended: { verdict, reason, selected, ...(see && { see }) } };
  let thrown = ended;
  try {
    const made = checks();
    if ('verdict' in made) return { ...made, ...noted };
    for (const check of made) check(judgement);
  } catch (error) {
    if (ended === undefined || outcomeOf(error).verdict !== 'inconclusive') thrown = error;
  }
  return { ...judgement.result(thrown), ...noted };
}

/** What ended a probe early, read from a record again. */
export function recordedEnd({ ended }: Pick<RequirementResult, 'ended'>): Outcome | undefined {
  if (ended === undefined) return undefined;
  const { verdict, reason, selected, see } = ended;
  return new Outcome(verdict as Outcome['verdict'], reason, selected, see as RequirementId | undefined);
}

/** The result of a requirement that this run did not try. */
export function notTestedResult(id: RequirementId, reason: string, selected = false): RequirementResult {
  return { ...catalogueFields(id), verdict: 'not-tested', reason, checks: 0, findings: [], selected };
}

function catalogueFields(id: RequirementId) {
  const { level, section, title } = requirementRow(id);
  return { id, level, section, title, ...(isOwnRequirement(id) && { own: true as const }) };
}

/** Findings of the same message become one that lists their exchanges and counts them. */
function grouped(findings: readonly Finding[]): Finding[] {
  const messages = [...new Set(findings.map(({ message }) => message))].slice(0, mostFindings);
  return messages.flatMap((message) => {
    const alike = findings.filter((one) => one.message === message);
    // The one that is easiest to see again. Of equals the rule has put the best first: their length is nothing to choose by.
    const [first] = alike.toSorted(byRank(({ reproduce }) => effortOf(reproduce).slice(0, -1)));
    if (!first) return [];
    const occurrences = alike.reduce((sum, one) => sum + (one.occurrences ?? 1), 0);
    const all = [first, ...alike].flatMap((finding) => finding.exchanges);
    const exchanges = [...new Set(all)].slice(0, mostExchanges);
    return { ...first, exchanges, ...(occurrences > 1 && { occurrences }) };
  });
}
