import { inject, test } from 'vitest';
import { onDeclaration } from '../../lib/verdict/requirement.js';
import { requirementRow } from '../../lib/specification/catalogue.js';
import { tellOutcome } from '../../reports/test-case.js';

/** Each requirement that a suite declares is a test at its line: what became of it in the run before the tests. */
onDeclaration((id) =>
  test(`${id} ${requirementRow(id).title}`, ({ skip }) => tellOutcome(inject('record'), id, skip)),
);
