import { basename } from 'node:path';

/** How a command is called: by npm in a checkout of the project, by the name of an installed package. */
export function invocationOf(command: 'report' | 'load', [, program = '']: readonly string[]): string {
  return basename(program).startsWith('petstore-conformance')
    ? `npx petstore-conformance ${command}`
    : `npm run ${command} --`;
}
