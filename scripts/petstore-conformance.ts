#!/usr/bin/env node
// A key on the command line stands in the list of processes until the title is set: before all else is loaded.
process.title = 'petstore-conformance';

/** `npx petstore-conformance report …` is what `npm run report -- …` is in a checkout, and so for the others. */
const commands: Readonly<Record<string, () => Promise<unknown>>> = {
  init: () => import('./init.js'),
  report: () => import('./report.js'),
  load: () => import('./load.js'),
  explain: () => import('./explain.js'),
  list: () => import('./list.js'),
  reference: () => import('./reference.js'),
};

const [name = ''] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command) process.argv.splice(2, 1);
await (command ?? (() => import('./conformance.js')))();
