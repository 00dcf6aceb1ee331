import autocannon from 'autocannon';
import { fork, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../lib/http/clock/clock.js';
import { measureReference } from '../lib/limits/testing/against-reference.js';
import { isRefused } from '../lib/load/ledger.js';
import type { PlannedRequest } from '../lib/load/request.js';
import { volley } from '../lib/load/volley.js';
import { countingFaults } from '../lib/reference/faults/limits/cost-faults.js';
import type { ReferenceOptions } from '../lib/reference/options.js';
import { limitVariants } from '../lib/reference/variants/limit-variants.js';

/**
 * `node scripts/dev.mjs measure-limits [race|variants|processor] [RUNS]`: the figures that the limit checks are held to.
 * race: how often racy limiters are caught, and an atomic one accused. variants: whether any verdict on a conforming
 * limiter differs from run to run. processor: what a volley costs beside bare autocannon, paired, one after the other.
 */

const [what = 'race', runs = '20'] = process.argv.slice(2);
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const anyMoment = (): number => 1_790_000_000_000 + Math.floor(Math.random() * 600_000);

async function verdictOfBurst(options: ReferenceOptions): Promise<string> {
  const { measurement } = await measureReference(options, { begin: anyMoment(), perDay: 100_000 });
  return measurement.requirements.find(({ id }) => id === 'LIMIT-03')?.verdict ?? 'missing';
}

async function race(count: number): Promise<void> {
  const racy = countingFaults
    .filter(({ name }) => name.startsWith('racy'))
    .map(({ name, options }) => ({ name, options }));
  for (const { name, options } of [...racy, { name: 'atomic', options: {} }]) {
    const verdicts: string[] = [];
    for (let run = 0; run < count; run += 1) verdicts.push(await verdictOfBurst(options));
    const failed = verdicts.filter((verdict) => verdict === 'fail').length;
    print(`${name}: LIMIT-03 fails in ${failed} of ${count} runs`);
  }
}

async function variants(count: number): Promise<void> {
  for (const { name, options, ahead = 0 } of limitVariants) {
    const seen = new Set<string>();
    for (let run = 0; run < count; run += 1) {
      const { measurement } = await measureReference(options, { begin: anyMoment(), perDay: 100_000, ahead });
      seen.add(measurement.requirements.map(({ id, verdict }) => `${id} ${verdict}`).join(', '));
    }
    const accused = [...seen].some((verdicts) => /fail|warn/.test(verdicts));
    print(
      `${name}: ${seen.size === 1 ? 'the same verdicts' : `${seen.size} different`} in ${count} runs${accused ? ', ACCUSED' : ''}`,
    );
  }
}

/** The Business plan's minute, and as many volleys a round as make a measurable time. */
const requestsOfVolley = 1_000;
const volleysOfRound = 15;
const connections = 10;

async function processor(rounds: number): Promise<void> {
  const child = fork(fileURLToPath(import.meta.url), ['serve'], { execArgv: ['--import', 'tsx'] });
  const port = await portOf(child);
  const origin = `http://127.0.0.1:${port}`;
  const headers = { Authorization: 'Bearer key', Accept: 'application/json' };
  const request: PlannedRequest = {
    method: 'GET',
    path: '/v1/pets?limit=1',
    headers: Object.entries(headers),
    operation: 'listPets',
    credential: 'valid',
    input: 'specified',
    purpose: 'measure',
  };
  const ours = Array.from({ length: requestsOfVolley }, () => request);
  const ways = {
    bare: async () => {
      const untyped = { sampleInt: 10 };
      await autocannon({
        url: `${origin}${request.path}`,
        connections,
        amount: requestsOfVolley,
        headers,
        ...untyped,
      });
    },
    volley: async () => {
      const ledger = await volley({
        target: { origin, timeoutMs: 5_000 },
        requests: ours,
        connections,
        clock: systemClock,
        signal: new AbortController().signal,
        stopAfter: isRefused,
        sender: 'autocannon',
      });
      if (!ledger.exact || ledger.entries.length !== requestsOfVolley)
        throw new Error('the volley was not exact');
    },
  };
  const ratios: number[] = [];
  await ways.bare();
  await ways.volley();
  for (let round = 0; round < rounds; round += 1) {
    // Which goes first changes: a warm processor helps the second.
    const order = round % 2 === 0 ? (['bare', 'volley'] as const) : (['volley', 'bare'] as const);
    const cost: Record<keyof typeof ways, number> = { bare: 0, volley: 0 };
    for (const way of order) {
      const before = process.cpuUsage();
      for (let one = 0; one < volleysOfRound; one += 1) await ways[way]();
      const { user, system } = process.cpuUsage(before);
      cost[way] = (user + system) / (requestsOfVolley * volleysOfRound);
    }
    ratios.push(cost.volley / cost.bare);
    print(
      `round ${round + 1}: bare ${cost.bare.toFixed(1)} us, volley ${cost.volley.toFixed(1)} us of processor a request, ratio ${(cost.volley / cost.bare).toFixed(2)}`,
    );
  }
  ratios.sort((a, b) => a - b);
  print(
    `median ratio ${(ratios[Math.floor(ratios.length / 2)] ?? Number.NaN).toFixed(2)} over ${rounds} paired rounds`,
  );
  child.disconnect();
}

/** A server in a process of its own, so that the client's processor time is the client's alone. */
function serve(): void {
  const body = '[{"id":1,"name":"Rex","categoryId":7,"status":"available"}]';
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('X-RateLimit-Limit', '60');
    response.setHeader('X-RateLimit-Remaining', '59');
    response.setHeader('X-RateLimit-Reset', '1790000000');
    response.end(body);
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.on('disconnect', () => process.exit(0));
}

function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('message', (port) => resolve(Number(port)));
  });
}

switch (what) {
  case 'serve':
    serve();
    break;
  case 'variants':
    await variants(Number(runs));
    break;
  case 'processor':
    await processor(Number(runs));
    break;
  default:
    await race(Number(runs));
}
