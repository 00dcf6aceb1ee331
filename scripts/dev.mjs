import { fileURLToPath } from 'node:url';

// Runs a script of this folder from its TypeScript source: `node scripts/dev.mjs conformance --help`.
const [name = '', ...rest] = process.argv.slice(2);
// A key on the command line stands in the list of processes until the title is set.
process.title = `petstore-${name}`;
process.argv.splice(2, process.argv.length - 2, ...rest);
const { register } = await import('tsx/esm/api');
// It says how JSX is compiled. The working folder may have another one, or none.
register({ tsconfig: fileURLToPath(new URL('../tsconfig.json', import.meta.url)) });
await import(`./${name}.ts`);
