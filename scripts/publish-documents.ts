import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { runRecordSchema } from '../lib/run/record.js';
import { openApiDocument } from '../lib/specification/openapi.js';

/** Part of the build: writes what other tools may use, the interface description and the run record's JSON Schema. */
const folder = process.argv[2] ?? 'dist';

// As input the objects stay open: fields may be added to the record, and an older reader must not refuse them.
const runRecordJsonSchema = {
  title: 'Run record of petstore-conformance',
  ...z.toJSONSchema(runRecordSchema, { io: 'input' }),
};

const documents = {
  'openapi.json': openApiDocument,
  'report.schema.json': runRecordJsonSchema,
};

mkdirSync(folder, { recursive: true });
for (const [name, document] of Object.entries(documents)) {
  writeFileSync(join(folder, name), `${JSON.stringify(document, null, 2)}\n`);
}
