// Runs a script of this folder from its TypeScript source: `node scripts/dev.mjs conformance --help`.
// Vitest is loaded before the TypeScript loader is: it is plain JavaScript, and reading it through the loader takes
// longer than a whole run.
const [name = '', ...rest] = process.argv.slice(2);
process.argv.splice(2, process.argv.length - 2, ...rest);
if (name === 'conformance') await import('vitest/node');
const { register } = await import('tsx/esm/api');
register();
await import(`./${name}.ts`);
