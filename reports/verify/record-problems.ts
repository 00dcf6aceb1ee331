import { isDeepStrictEqual } from 'node:util';
import { recordText } from '../../lib/evidence/record/record-text.js';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import { catalogue } from '../../lib/specification/catalogue.js';
import { classResult, runVerdict } from '../../lib/verdict/class-verdict.js';

/** What contradicts itself in a record, a sentence each: what follows from its rows was written by another hand. */
export function recordProblems(record: RunRecord, text: string): string[] {
  const { run, classes, requirements, verdict, load } = record;
  const problems: string[] = [];
  const raw = JSON.parse(text) as RunRecord;
  if (recordText(raw) !== text) problems.push('its text is not as the suite writes it');
  if (!isDeepStrictEqual(raw, record)) problems.push('it has members that the suite does not write');
  const ids = requirements.map(({ id }) => id);
  for (const { id, level, section, title } of catalogue) {
    const rows = requirements.filter((row) => row.id === id);
    if (rows.length !== 1) problems.push(`${id} has ${rows.length} rows`);
    for (const row of rows)
      if (row.level !== level || row.section !== section || row.title !== title)
        problems.push(`${id} has another level, section or title than in the catalogue`);
  }
  const known = new Set<string>(catalogue.map(({ id }) => id));
  problems.push(...ids.filter((id) => !known.has(id)).map((id) => `${id} is not in the catalogue`));
  for (const { id, verdict: recorded, ...counted } of classes) {
    const { verdict: due, ...counts } = classResult(id, requirements, { strict: run.strict });
    if (recorded !== due) problems.push(`${id} is recorded as ${recorded}, its requirements give ${due}`);
    if (!isDeepStrictEqual({ id, ...counted }, counts))
      problems.push(`the counts of ${id} are not those of its requirements`);
  }
  const due = runVerdict(classes);
  if (!load && verdict !== due) problems.push(`the run is recorded as ${verdict}, its classes give ${due}`);
  if (Date.parse(run.finishedAt) < Date.parse(run.startedAt)) problems.push('the run ended before it began');
  problems.push(...waiverProblems(record), ...previousProblems(record));
  return problems.map((one) => `The record contradicts itself: ${one}.`);
}

/** What broke is not met now, and what was fixed is. */
function previousProblems({ requirements, previous, run }: RunRecord): string[] {
  if (!previous) return [];
  const isNow = (id: string, verdicts: readonly string[]): boolean =>
    requirements.some((row) => row.id === id && verdicts.includes(row.verdict));
  return [
    ...previous.broke
      .filter((id) => !isNow(id, ['fail', 'warn']))
      .map((id) => `${id} is said to have broken, and is met`),
    ...previous.fixed
      .filter((id) => isNow(id, ['fail', 'warn']))
      .map((id) => `${id} is said to be fixed, and is not met`),
    ...(previous.startedAt < run.startedAt ? [] : ['the run before this one began after it']),
  ];
}

function waiverProblems({ requirements, run }: RunRecord): string[] {
  return requirements.flatMap(({ id, verdict, waived }) => {
    if (!waived) return [];
    const inForce = waived.until >= run.finishedAt.slice(0, 10);
    return [
      ...(['fail', 'warn', 'inconclusive'].includes(verdict)
        ? []
        : [`${id} is waived, and its verdict is ${verdict}`]),
      ...(inForce
        ? []
        : [`${id} is waived until ${waived.until}, and the run ended on ${run.finishedAt.slice(0, 10)}`]),
    ];
  });
}
