import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { runRecordSchema } from '../../lib/record/record.js';
import { openApiDocument } from '../../lib/specification/openapi.js';

/** Writes what other tools may use into a folder: the interface description, and the run record's JSON Schema. */
export function publishDocuments(folder: string): void {
  const documents = {
    'openapi.json': openApiDocument,
    'report.schema.json': {
      title: 'Run record of petstore-conformance',
      // As input the objects stay open: fields may be added to the record, and an older reader must not refuse them.
      ...z.toJSONSchema(runRecordSchema, { io: 'input' }),
    },
  };
  mkdirSync(folder, { recursive: true });
  for (const [name, document] of Object.entries(documents)) {
    writeFileSync(join(folder, name), `${JSON.stringify(document, null, 2)}\n`);
  }
}
