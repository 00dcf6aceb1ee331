import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { plans } from '../../specification/plan.js';
import type { Fact } from '../../evidence/record/fact.js';
import { shells } from '../../testing/shells.js';
import { notTestedResult } from '../../verdict/judgement.js';
import type { RequirementId } from '../../specification/catalogue.js';
import { withLoops } from './loops.js';

const plan = { ...plans.free, perMinute: 3, perDay: 5 };

function commandOf(id: RequirementId, reproduce: string, fact?: Fact): string {
  const result = { ...notTestedResult(id, ''), findings: [{ message: '', exchanges: [], reproduce, fact }] };
  return withLoops(result, plan).findings[0]?.reproduce ?? '';
}

test.each([
  ['LIMIT-01', 4, /^ *4 429\n$/u],
  ['LIMIT-03', 4, /^ *4 429\n$/u],
  ['LIMIT-05', 5, /^HTTP\/1\.1 429/u],
  ['LIMIT-06', 5, /^(?:HTTP\/1\.1 429[^]*?){3}X-RateLimit-Reset: \d+\r\n$/u],
  ['LIMIT-14', 8, /^ *4 429\n$/u],
] as const)('the command of %s sends %d requests in every shell', async (id, requests, shown) => {
  let received = 0;
  const server = createServer((_, response) => {
    received += 1;
    const reset = String(Math.floor(Date.now() / 1_000) - 5);
    response.writeHead(429, { 'retry-after': '0', 'X-RateLimit-Reset': reset }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const command = commandOf(id, `curl -i 'http://127.0.0.1:${port}/v1/pets'`);
  for (const shell of shells) {
    received = 0;
    const { stdout } = await promisify(execFile)(shell, ['-c', command]);
    expect(stdout).toMatch(shown);
    expect(received).toBe(requests);
  }
  server.close();
});

test('a command that is a loop already stays as it is, and a day is counted as slowly as the minute allows', () => {
  expect(commandOf('LIMIT-08', 'for i in $(seq 4); do curl x; done')).toBe(
    'for i in $(seq 4); do curl x; done',
  );
  expect(commandOf('LIMIT-10', 'curl x')).toBe('for i in $(seq 6); do curl x; sleep 21.00; done');
});

test.each([
  ['15', 16],
  ['120', 61],
])('of a window of %s s it exceeds the limit again when the shorter window is over', (value, seconds) => {
  const command = commandOf('LIMIT-02', 'curl -i x', {
    kind: 'limiter',
    deviation: 'window',
    says: '',
    value,
  });
  expect(command.match(/uniq -c/gu)).toHaveLength(2);
  expect(command).toContain(`; sleep ${seconds}; {`);
});

test('a window that requests renew is shown by requests that are slow enough', () => {
  const fact: Fact = { kind: 'limiter', deviation: 'renewed', says: '' };
  expect(commandOf('LIMIT-01', 'curl -i x', fact)).toMatch(
    /^\{ for i in \$\(seq 4\); do .*; sleep 21\.00; done; \}/u,
  );
});
