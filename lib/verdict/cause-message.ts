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
  const fields = new Set(facts.map((fact) => (fact.kind === 'body' ? fact.field : '')));
  if (places.size === 1 && requirements === 1 && fields.size === 1) return undefined;
  if (first.kind === 'header') return headerSentence(facts, statuses);
  return first.kind === 'body' ? bodySentence(first, facts, statuses) : undefined;
}

type BodyFact = Extract<Fact, { kind: 'body' }>;

function bodySentence(
  { form, field }: BodyFact,
  facts: readonly Fact[],
  statuses: ReadonlySet<number | undefined>,
): string | undefined {
  const responses = responsesOf(facts, statuses);
  if (form === 'JSON') return `${responses} a body that is not JSON in UTF-8`;
  const fields = inWords(facts.map((fact) => (fact.kind === 'body' ? `\`${fact.field}\`` : '')));
  const isAbsent = facts.every(({ value }) => value === 'absent');
  if (isAbsent) return `${responses} ${form === 'Error' ? 'an Error' : 'an animal'} without ${fields}`;
  if (form === 'Error')
    return field === '' ? `${responses} no Error body` : `${responses} an Error with a wrong \`${field}\``;
  return field === ''
    ? `${responses} a body that is not ${form === 'Pets' ? 'an array of Pet' : 'a Pet'}`
    : undefined;
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
  const names = inWords(headers.map(({ header }) => `\`${header}\``));
  return `${responsesOf(facts, statuses)} ${problem === 'missing' ? 'no' : 'a wrong'} ${names}`;
}

/** The responses that findings are about, and no others: `a 401 has`, `responses of getPet with 200 or 404 have`. */
function responsesOf(facts: readonly Fact[], statuses: ReadonlySet<number | undefined>): string {
  const operations = [...new Set(facts.map(({ operation }) => operation))];
  const of = operations.length > 2 || operations.includes(undefined) ? '' : ` of ${inWords(operations)}`;
  const [status] = statuses;
  if (statuses.size === 1) return `a ${status ?? ''}${of} has`;
  return statuses.size <= statusesNamed
    ? `responses${of} with ${inWords([...statuses], 'or')} have`
    : `${kindOfAll(statuses)}responses${of} have`;
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
