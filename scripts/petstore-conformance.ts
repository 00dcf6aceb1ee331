#!/usr/bin/env node
// A key on the command line stands in the list of processes until the title is set: before all else is loaded.
process.title = 'petstore-conformance';
await import('./conformance.js');
