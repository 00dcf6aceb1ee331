import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { runRecordSchema } from '../../lib/record/record.js';
import { requirementTests } from './requirement-tests.js';

/** A finished run as Vitest's reporters see it. */
const file = join(inject('runFolder'), 'report.json');

requirementTests('Pet Store Service', async () =>
  runRecordSchema.parse(JSON.parse(await readFile(file, 'utf8'))),
);
