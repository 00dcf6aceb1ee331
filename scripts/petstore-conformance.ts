#!/usr/bin/env node
import module from 'node:module';

// A key on the command line stands in the list of processes until the title is set: before all else is loaded.
process.title = 'petstore-conformance';
// From Node 22.1 on, what V8 has compiled of the program serves the next start.
(module as { enableCompileCache?: () => unknown }).enableCompileCache?.();
const [only, ...others] = process.argv.slice(2);
try {
  await (only === '--help' && others.length === 0 ? import('./program-help.js') : import('./program.js'));
} catch (error) {
  // Its own files can't be read: there are too few descriptors, or the installation is not whole.
  process.stderr.write(`petstore-conformance: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
