import type { Fact } from '../evidence/record/fact.js';
import type { Finding, RequirementResult } from '../evidence/record/requirement-result.js';

/** A finding of one defect, with the requirement that found it. */
interface Found {
  readonly result: Pick<RequirementResult, 'id'>;
  readonly finding: Finding;
}

/**
 * What is wrong, in a sentence: what the findings of one defect have in common, otherwise what the finding that tells it
 * says. A sentence says no more than the findings show.
 */
export function causeMessage(shown: Finding | undefined, group: readonly Found[]): string {
  const facts = group.flatMap(({ finding }) => finding.fact ?? []);
  const [first] = facts;
  const isOfOneKind = facts.length === group.length && facts.every(({ kind }) => kind === first?.kind);
  const isShown = group.some(({ finding }) => finding === shown);
  const requirements = new Set(group.map(({ result }) => result.id)).size;
  const common = first && isOfOneKind && isShown ? inCommon(first, facts, requirements) : undefined;
  return common ?? shown?.message ?? '';
}

function inCommon(first: Fact, facts: readonly Fact[], requirements: number): string | undefined {
  const operations = inWords(facts.flatMap(({ operation }) => operation ?? []));
  const statuses = new Set(facts.map(({ status }) => status));
  if (first.kind === 'limiter') return first.says === '' ? undefined : `the limiter ${first.says}`;
  if (first.kind === 'status') {
    const expected = expectedByAll(facts);
    if (requirements === 1 || statuses.size > 1) return undefined;
    const respond = operations.includes(' ') ? 'respond' : 'responds';
    return `${operations} ${respond} ${first.status ?? 'nothing'}, expected ${inWords(expected, 'or')}`;
  }
  const places = new Set(facts.map(({ operation = '', status = '' }) => `${operation} ${status}`));
  if (places.size === 1 && requirements === 1) return undefined;
  if (first.kind === 'header') return headerSentence(facts, statuses);
  if (first.kind !== 'body') return undefined;
  if (first.form !== 'Error')
    return first.field === '' ? `bodies of ${operations} are of another form` : undefined;
  if (first.field === '') return 'errors have no Error body';
  const isAbsent = facts.every(({ value }) => value === 'absent');
  return isAbsent
    ? `Error bodies have no \`${first.field}\``
    : `the \`${first.field}\` in Error bodies is wrong`;
}

/** The statuses that would do everywhere; if there are none, each that would do somewhere. */
function expectedByAll(facts: readonly Fact[]): number[] {
  const lists = facts.flatMap((fact) => (fact.kind === 'status' ? [fact.expected] : []));
  const all = lists.flat();
  const common = all.filter((status) => lists.every((list) => list.includes(status)));
  return common.length > 0 ? common : all;
}

/** More statuses are told by their kind. */
const statusesNamed = 3;

function headerSentence(
  facts: readonly Fact[],
  statuses: ReadonlySet<number | undefined>,
): string | undefined {
  const headers = facts.flatMap((fact) => (fact.kind === 'header' ? fact : []));
  const [problem, ...others] = new Set(headers.map((fact) => fact.problem));
  if (others.length > 0 || problem === 'repeated') return undefined;
  const operations = [...new Set(facts.map(({ operation }) => operation))];
  const of = operations.length > 2 || operations.includes(undefined) ? '' : ` of ${inWords(operations)}`;
  const [status] = statuses;
  const isFew = statuses.size <= statusesNamed;
  const which = isFew ? `${of} with ${inWords([...statuses], 'or')}` : of;
  const responses =
    statuses.size === 1
      ? `a ${status ?? ''}${of} has`
      : `${isFew ? '' : kindOfAll(statuses)}responses${which} have`;
  const names = inWords(headers.map(({ header }) => `\`${header}\``));
  return `${responses} ${problem === 'missing' ? 'no' : 'a wrong'} ${names}`;
}

function kindOfAll(statuses: ReadonlySet<number | undefined>): string {
  const areErrors = [...statuses].map((status = 0) => status >= 400);
  if (areErrors.every(Boolean)) return 'error ';
  return areErrors.some(Boolean) ? '' : 'successful ';
}

/** Each once: `listPets, createPet and getPet`. */
function inWords(names: ReadonlyArray<string | number | undefined>, word = 'and'): string {
  return [...new Set(names)].join(', ').replace(/, ([^,]*)$/u, ` ${word} $1`);
}
