#!/usr/bin/env node
import module from 'node:module';

// A key on the command line stands in the list of processes until the title is set: before all else is loaded.
process.title = 'petstore-conformance';
// From Node 22.1 on, what V8 has compiled of the program serves the next start.
(module as { enableCompileCache?: () => unknown }).enableCompileCache?.();
await import('./program.js');
