import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { systemClock } from '../../lib/http/clock/clock.js';
import { faults } from '../../lib/reference/faults/faults.js';
import { combineOptions, type ReferenceOptions } from '../../lib/reference/options.js';
import { referenceKeys } from '../../lib/reference/keys.js';
import { serveReference } from '../../lib/reference/serve.js';
import { run } from '../../lib/run/conformance.js';
import { plans } from '../../lib/specification/plan.js';
import { readFinishedRun } from '../../reports/finished-run.js';
import { htmlReport } from '../../reports/html/render.js';
import { chromiumPath, hasChromium, launchChromium } from '../../reports/html/testing/browser.js';
import { writeReport } from '../../reports/renderer.js';

/**
 * Makes the README's pictures from real runs: `docs/conforming.png` and `docs/faulty.png`, the head of the report of a
 * run against the reference service, and of one against the same service with the faults below. Two folders of finished
 * runs, named on the command line, take the place of these runs.
 */

/** Bugs as real services have them, one a part of the specification. */
const pictured: ReadonlySet<string> = new Set([
  'category-through-a-double',
  'filter-ignored-beside-small-limit',
  '401-without-challenge',
  'sunset-a-year-early',
  'null-status-accepted',
]);

const documents = fileURLToPath(new URL('../../docs/', import.meta.url));
const width = 1_100;
/** Of the report's head, in pixels: for the faulty service down into the findings. */
const heights = { 'conforming.png': 925, 'faulty.png': 1_170 } as const;
/** A README is no place for more. */
const mostBytes = 300_000;

async function runAgainst(name: string, options: ReferenceOptions, directory: string): Promise<string> {
  const service = await serveReference(options);
  try {
    await run({
      target: {
        name,
        baseUrl: service.baseUrl,
        apiKey: referenceKeys.business.key,
        plan: plans.business,
        planGiven: true,
        consistencyMs: 2_000,
        deadlineMs: 10_000,
        readOnly: false,
      },
      profile: 'standard',
      limits: 'none',
      only: [],
      except: [],
      strict: false,
      seed: 1,
      directory,
      command: `npm test -- --target=${name}`,
      clock: systemClock,
      environment: {},
    });
  } finally {
    await service.close();
  }
  return directory;
}

async function picture(browser: Browser, directory: string, name: keyof typeof heights): Promise<void> {
  const viewport = { width, height: heights[name] };
  const page = await browser.newPage({ viewport, deviceScaleFactor: 1.25, colorScheme: 'light' });
  const report = await writeReport(await readFinishedRun(directory), htmlReport, join(directory, 'picture'));
  await page.goto(pathToFileURL(report).href);
  const image = await page.screenshot({ type: 'png' });
  await page.close();
  if (image.length > mostBytes) throw new Error(`${name} has ${image.length} bytes, more than ${mostBytes}`);
  await writeFile(join(documents, name), image);
  console.log(`docs/${name}: ${image.length} bytes`);
}

async function runsOfTheReference(folder: string): Promise<readonly [conforming: string, faulty: string]> {
  const faulty = faults.filter(({ name }) => pictured.has(name)).map(({ options }) => options);
  if (faulty.length !== pictured.size)
    throw new Error('a fault of the picture is not in lib/reference/faults');
  return [
    await runAgainst('reference', {}, join(folder, 'conforming')),
    await runAgainst('staging', combineOptions(...faulty), join(folder, 'faulty')),
  ];
}

async function main(given: readonly string[]): Promise<void> {
  if (given.length !== 0 && given.length !== 2) {
    throw new Error('name no folder, or two: that of a conforming run and that of a faulty one');
  }
  if (!(await hasChromium())) {
    throw new Error(`there is no Chromium at ${chromiumPath}: install it, or name one in CHROMIUM`);
  }
  const folder = await mkdtemp(join(tmpdir(), 'petstore-pictures-'));
  const browser = await launchChromium();
  try {
    const [conforming, faulty] = given.length === 2 ? given : await runsOfTheReference(folder);
    for (const directory of [conforming, faulty]) await stat(join(directory ?? '', 'report.json'));
    await mkdir(documents, { recursive: true });
    await picture(browser, conforming ?? '', 'conforming.png');
    await picture(browser, faulty ?? '', 'faulty.png');
  } finally {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(`pictures: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 2;
}
