import type { Fact } from '../record/fact.js';
import type { Finding } from '../record/record.js';

/**
 * What is wrong, in a sentence: what several findings of one defect have in common, otherwise what the first says.
 * @param requirements how many requirements found it
 */
export function causeMessage(findings: readonly Finding[], requirements: number): string {
  const facts = findings.flatMap(({ fact }) => fact ?? []);
  const [first] = facts;
  const isOfOneKind = facts.length === findings.length && facts.every(({ kind }) => kind === first?.kind);
  const common = first && isOfOneKind ? inCommon(first, facts, requirements) : undefined;
  return common ?? findings[0]?.message ?? '';
}

function inCommon(first: Fact, facts: readonly Fact[], requirements: number): string | undefined {
  const statuses = new Set(facts.map(({ status }) => status));
  const operations = new Set(facts.flatMap(({ operation }) => operation ?? []));
  if (first.kind === 'limiter') return first.says === '' ? undefined : `the limiter ${first.says}`;
  if (first.kind === 'status' && requirements > 1 && statuses.size === 1)
    return statusSentence(facts, first.status, operations);
  const places = new Set(facts.map(({ operation = '', status = '' }) => `${operation} ${status}`));
  if (places.size === 1 && requirements === 1) return undefined;
  if (first.kind === 'header') return headerSentence(facts, statuses);
  if (first.kind !== 'body' || facts.some((fact) => fact.kind === 'body' && fact.field !== first.field))
    return undefined;
  if (first.form === 'Error') {
    if (first.field === '') return 'errors have no Error body';
    const isMissing = facts.every((fact) => fact.kind === 'body' && fact.value === 'absent');
    return isMissing
      ? `Error bodies have no \`${first.field}\``
      : `the \`${first.field}\` in Error bodies is wrong`;
  }
  return first.field === '' ? `bodies of ${inWords([...operations])} are of another form` : undefined;
}

function statusSentence(
  facts: readonly Fact[],
  status: number | undefined,
  operations: ReadonlySet<string>,
): string {
  const expected = new Set(facts.flatMap((fact) => (fact.kind === 'status' ? fact.expected : [])));
  const respond = operations.size === 1 ? 'responds' : 'respond';
  const subject = operations.size > 2 ? 'all operations' : inWords([...operations]);
  // How many requests these are of all that were sent, findings do not say.
  const some = expected.size > 2 ? ' to some requests' : '';
  return `${subject} ${respond} ${status ?? 'nothing'}${some}, expected ${[...expected].join(', ').replace(/, (\d+)$/u, ' or $1')}`;
}

function headerSentence(
  facts: readonly Fact[],
  statuses: ReadonlySet<number | undefined>,
): string | undefined {
  const headers = facts.flatMap((fact) => (fact.kind === 'header' ? fact : []));
  const names = inWords([...new Set(headers.map(({ header }) => `\`${header}\``))]);
  const [status] = statuses;
  const responses = statuses.size === 1 ? `a ${status ?? ''} has` : `${kindOfAll(statuses)}responses have`;
  if (headers.every(({ problem }) => problem === 'missing')) return `${responses} no ${names}`;
  return headers.every(({ problem }) => problem === 'wrong') ? `${responses} a wrong ${names}` : undefined;
}

function kindOfAll(statuses: ReadonlySet<number | undefined>): string {
  const areErrors = [...statuses].map((status = 0) => status >= 400);
  if (areErrors.every(Boolean)) return 'error ';
  return areErrors.some(Boolean) ? '' : 'successful ';
}

function inWords(names: readonly string[]): string {
  return names.join(', ').replace(/, ([^,]*)$/u, ' and $1');
}
