import { expect, it } from 'vitest';
import { invocationOf } from './command-name.js';

it.each([
  ['/project/scripts/dev.mjs', 'npm run report --'],
  ['/elsewhere/node_modules/.bin/petstore-conformance', 'npx petstore-conformance report'],
  ['/project/dist/scripts/petstore-conformance.js', 'npx petstore-conformance report'],
])('a report started by %s is called as %s', (program, called) => {
  expect(invocationOf('report', ['node', program])).toBe(called);
});

it('a program that nobody named is called as in a checkout', () => {
  expect(invocationOf('load', ['node'])).toBe('npm run load --');
});
