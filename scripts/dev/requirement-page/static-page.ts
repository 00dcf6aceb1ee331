import { faultyDescriptions } from '../../../lib/description/testing/description-faults.js';
import type { Page } from '../../../lib/explain/page.js';
import {
  classOf,
  judgedText,
  requirementRow,
  type RequirementId,
} from '../../../lib/specification/catalogue.js';
import { guidance, type Guidance } from '../../../lib/specification/guidance.js';
import { knownFaults } from './known-faults.js';
import { quoteOf } from './specification-quote.js';

/** Bugs that a page lists: those that break least beside the requirement come first. */
const mostBugs = 8;

/** What stands on the page of a requirement without a run: the exchanges are missing. */
export function staticPage(id: RequirementId, specification: string): Page {
  const row = requirementRow(id);
  const { level, section, title, clauses } = row;
  const { fix, rfc }: Guidance = guidance[id];
  return {
    id,
    level,
    class: classOf(id),
    section,
    title,
    specification: clauses.map((anchor) => quoteOf(specification, anchor)),
    ...(rfc === undefined ? {} : { rfc }),
    judged: judgedText(row),
    bugs: bugsOf(id),
    fix,
  };
}

function bugsOf(id: RequirementId): string[] {
  const ofService = knownFaults
    .filter(({ breaks }) => breaks.includes(id))
    .toSorted((one, other) => one.breaks.length - other.breaks.length)
    .map(({ title }) => title);
  const ofDescription = Object.entries(faultyDescriptions)
    .filter(([, { turns }]) => turns.some((turned) => turned === id))
    .map(([name]) => name.charAt(0).toUpperCase() + name.slice(1));
  return [...ofService, ...ofDescription].slice(0, mostBugs);
}
