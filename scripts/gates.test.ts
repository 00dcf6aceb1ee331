import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faults } from '../lib/reference/faults/faults.js';
import { referenceKeys } from '../lib/reference/keys.js';
import { combineOptions } from '../lib/reference/options.js';
import { serveReference, type ReferenceService } from '../lib/reference/serve.js';
import { start, type Ended } from './testing/program.js';

/**
 * What a pipeline stands on, from the command line to the exit code: waivers, and GitHub's page of a job. A start
 * takes a second: two runs serve all, and each asks for three requirements alone.
 */

/** The first breaks ERR-01, the second AUTH-07; ids and verdicts of a run against the faulty service. */
const broken: ReadonlySet<string> = new Set(['empty-401', '401-without-challenge']);

let folder: string;
let services: ReferenceService[];
/** Runs against the faulty service, on GitHub, and against the conforming one, with a waiver of another target. */
let failing: Ended;
let passing: Ended;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-gates-'));
  const options = faults.filter(({ name }) => broken.has(name)).map((fault) => fault.options);
  services = await Promise.all([serveReference(combineOptions(...options)), serveReference()]);
  await writeFile(path('step.md'), 'What came before.\n');
  const github = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: path('step.md') };
  const others = await waivers('others.json', { id: 'AUTH-07', until: '2000-01-01', target: 'production' });
  [failing, passing] = await Promise.all([
    judge('faulty', 'failing', ['--report=none'], github),
    judge('conforming', 'passing', [others, '--report=none']),
  ]);
});
afterAll(async () => {
  await Promise.all(services.map(async (service) => service.close()));
  await rm(folder, { recursive: true, force: true });
});

function path(name: string): string {
  return join(folder, name);
}

async function text(...names: string[]): Promise<string> {
  return readFile(join(folder, ...names), 'utf8');
}

/** Writes a file of waivers; gives the option that names it. */
async function waivers(
  name: string,
  ...list: ReadonlyArray<{ id: string; until: string; target?: string }>
): Promise<string> {
  const complete = list.map((waiver) => ({ ...waiver, reason: 'known', owner: 'platform' }));
  await writeFile(path(name), JSON.stringify(complete));
  return `--waivers=${path(name)}`;
}

async function judge(
  which: 'faulty' | 'conforming',
  output: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<Ended> {
  const { baseUrl = '' } = services[which === 'faulty' ? 0 : 1] ?? {};
  const target = [`--base-url=${baseUrl}`, '--plan=business', '--only=ERR-01,AUTH-01,AUTH-07', '--seed=1'];
  return start('conformance', [...target, `--output=${path(output)}`, ...args], {
    folder,
    environment: { PETSTORE_API_KEY: referenceKeys.business.key, ...environment },
  }).ended;
}

async function report(...args: string[]): Promise<Ended> {
  return start('report', args, { folder }).ended;
}

describe('waivers', () => {
  it('are drafted from a run, and once they are filled in the same failures fail no more', async () => {
    const drafted = await report('waivers', path('failing'), `--output=${path('waivers.yaml')}`);
    expect(drafted).toMatchObject({ code: 0, stdout: `${path('waivers.yaml')}\n` });
    const filled = (await text('waivers.yaml'))
      .replaceAll('reason: ""', 'reason: known since March')
      .replaceAll('owner: ""', 'owner: platform');
    await writeFile(path('waivers.yaml'), filled);

    const args = [`--waivers=${path('waivers.yaml')}`, '--report=html,junit,markdown'];
    const waived = await judge('faulty', 'waived', args);
    expect(waived.code).toBe(0);
    expect(waived.stdout).toMatch(/~ ERR-01 {2}Waived until [\d-]+ by platform: known since March/);
    expect(waived.stdout).toMatch(/ PARTIAL [^]*1 known failure was waived/);
    expect(await text('waived', 'report.html')).toContain('known since March');
    expect(await text('waived', 'junit.xml')).toMatch(/<skipped>Waived until [^<]*known since March/);
    expect(await text('waived', 'summary.md')).toContain('known since March');
  });

  it('fail the run when they have expired, and when what they cover is met', async () => {
    const file = await waivers(
      'stale.json',
      { id: 'ERR-01', until: '2026-01-31' },
      { id: 'AUTH-01', until: '2999-12-31' },
    );
    const { code, stdout } = await judge('faulty', 'stale', [file, '--report=none']);
    expect(code).toBe(1);
    expect(unfolded(stdout)).toContain(
      'Waiver: ERR-01: expired after 2026-01-31; ask platform to renew or remove it',
    );
    expect(unfolded(stdout)).toContain('Waiver: AUTH-01: matches no failure, the verdict is pass');
  });

  it('of another target are nothing to a run', () => {
    expect(passing.code).toBe(0);
    expect(passing.stdout).not.toContain('Waiver');
  });
});

describe('on GitHub', () => {
  it('a run annotates the job, and adds its summary to what the page has', async () => {
    expect(failing.code).toBe(1);
    expect(failing.stdout).toMatch(
      /^::error title=ERR-01 MUST § 2%2C 7%3A Every 400%2C 401 and 404 has an Error body::errors have no Error body%0A/m,
    );
    expect(failing.stdout).toMatch(/^::warning title=AUTH-07 SHOULD /m);
    const page = await text('step.md');
    expect(page).toMatch(/^What came before\.\n[^]*non-conformant[^]*ERR-01/);
    expect(passing.stdout).not.toContain('::');
  });
});

/** Terminal output without the breaks of 80 columns. */
function unfolded(stdout: string): string {
  return stdout.replaceAll(/\n */g, ' ');
}
