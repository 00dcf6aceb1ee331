#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { runProgram } from './compiled-program.mjs';

// A key on the command line stands in the list of processes until the title is set: before all else is loaded.
process.title = 'petstore-conformance';
try {
  runProgram(fileURLToPath(new URL('program.cjs', import.meta.url)));
} catch (error) {
  // Its own files can't be read: there are too few descriptors, or the installation is not whole.
  process.stderr.write(`petstore-conformance: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
