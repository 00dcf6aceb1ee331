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

// `help load` is `load --help`.
if (process.argv[2] === 'help') process.argv.splice(2, 2, ...process.argv.slice(3, 4), '--help');
const [name = ''] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command) process.argv.splice(2, 1);
// A mistyped command; any other word may be a key in the wrong place, and is not repeated.
const near =
  command !== undefined || !/^[a-z]+$/i.test(name)
    ? ''
    : (await import('../lib/usage/nearest-name.js')).didYouMean(name, [...Object.keys(commands), 'help']);
if (near !== '') {
  process.stderr.write(`petstore-conformance: unknown command ${name}.${near}\n`);
  process.exitCode = 2;
} else await (command ?? (() => import('./conformance.js')))();
