import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { commandLineOptions } from '../../lib/options/command-line-options.js';
import { readOptions } from '../../lib/options/read-options.js';
import { settingsOf, withTarget } from '../../lib/options/run-request.js';
import { faults } from '../../lib/reference/faults/faults.js';
import { referenceKeys } from '../../lib/reference/keys.js';
import { combineOptions } from '../../lib/reference/options.js';
import { serveReference } from '../../lib/reference/serve.js';
import { run } from '../../lib/run/conformance.js';
import { readCommandLine } from '../../lib/options/command-line.js';
import { UsageProblem } from '../../lib/explain/usage-problem.js';
import { readFinishedRun } from '../../reports/finished-run.js';
import { htmlReport } from '../../reports/html/render.js';
import { chromiumPath, hasChromium, launchChromium } from '../../reports/html/testing/browser.js';
import { writeReport } from '../../reports/renderer.js';
import { runCommand } from '../run-command.js';

/**
 * Makes the README's pictures from real runs: the head of the report of a run against the reference service, and of one
 * against the same service with faults.
 */

/** Bugs as real services have them, one for each part of the specification. */
const pictured: readonly string[] = [
  'category-through-a-double',
  'filter-ignored-beside-small-limit',
  '401-without-challenge',
  'sunset-a-year-early',
  'null-status-accepted',
];

const documents = fileURLToPath(new URL('../../docs/', import.meta.url));
const width = 1_100;
/** A README is no place for more. */
const mostBytes = 300_000;

/** Runs the suite against a target; gives the folder of the run. */
async function runAgainst(name: string, values: Record<string, string>, directory: string): Promise<string> {
  const argv = [`--target=${name}`, '--seed=1'];
  const { typed } = readCommandLine(argv, { name: '', options: commandLineOptions });
  const request = readOptions('npm test --', commandLineOptions, typed, { values });
  await withTarget(request, async (target) => run({ ...settingsOf(request), target, directory }));
  return directory;
}

/** Pictures the head of a report: for the faulty service, down into the findings. */
async function picture(browser: Browser, directory: string, name: string, height: number): Promise<void> {
  const page = await browser.newPage({
    viewport: { width, height },
    deviceScaleFactor: 1.25,
    colorScheme: 'light',
  });
  const report = await writeReport(await readFinishedRun(directory), htmlReport, join(directory, 'picture'));
  await page.goto(pathToFileURL(report).href);
  const image = await page.screenshot({ type: 'png' });
  await page.close();
  if (image.length > mostBytes) throw new Error(`${name} has ${image.length} bytes, more than ${mostBytes}`);
  await writeFile(join(documents, name), image);
  console.log(`docs/${name}: ${image.length} bytes`);
}

await runCommand(async () => {
  if (!(await hasChromium()))
    throw new UsageProblem(`there is no Chromium at ${chromiumPath}: install it, or name one in CHROMIUM`);
  const broken = faults.filter(({ name }) => pictured.includes(name)).map(({ options }) => options);
  if (broken.length !== pictured.length) throw new Error('a fault of the picture does not exist any more');
  const folder = await mkdtemp(join(tmpdir(), 'petstore-pictures-'));
  const service = await serveReference(combineOptions(...broken));
  const staging = {
    STAGING_BASE_URL: service.baseUrl,
    STAGING_API_KEY: referenceKeys.business.key,
    STAGING_PLAN: 'business',
  };
  const browser = await launchChromium();
  try {
    const conforming = await runAgainst('reference', {}, join(folder, 'conforming'));
    await picture(browser, conforming, 'conforming.png', 840);
    const faulty = await runAgainst('staging', staging, join(folder, 'faulty'));
    await picture(browser, faulty, 'faulty.png', 1_010);
  } finally {
    await browser.close();
    await service.close();
    await rm(folder, { recursive: true, force: true });
  }
  return 0;
}, []);
