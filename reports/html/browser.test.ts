import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Finding, RunRecord } from '../../lib/record/record.js';
import { catalogue } from '../../lib/specification/catalogue.js';
import { loadRecord } from '../testing/sample-load.js';
import {
  conformingRecord,
  faultyRecord,
  oneCauseRecord,
  recordOf,
  sampleRows,
} from '../testing/sample-record.js';
import { renderHtml } from './render.js';
import { chromiumPath, hasChromium, launchChromium } from './testing/browser.js';
import { htmlRun } from './testing/html-run.js';

const there = await hasChromium();
if (!there) {
  console.warn(
    `The report was not opened in a browser: no Chromium at ${chromiumPath}. Install it, or name one in CHROMIUM.`,
  );
}

/** The width of an A4 sheet between its margins, in pixels of CSS. */
const sheet = 672;

/** How a report is opened: the kind of context, and what a page of it shows. */
interface Opening {
  readonly kind?: Pick<BrowserContextOptions, 'bypassCSP'>;
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: 'light' | 'dark';
  readonly reducedMotion?: 'reduce';
  readonly media?: 'screen' | 'print';
}

type Name = 'faulty' | 'conforming' | 'cause' | 'load' | 'many' | 'all' | 'unreached';

/** So many requirements fail, each for a cause and with a dozen findings of its own. */
function manyFailures(number: number): RunRecord {
  const finding = (id: string, index: number): Finding => ({
    message: `${id}, request ${index}: got 200, expected 400`,
    expected: '400',
    received: `200 {"id":${index},"name":"${'Rex '.repeat(20)}"}`,
    exchanges: [`e${index}`],
    reproduce: `curl -i 'https://staging.petstore.example/v1/pets?limit=${index}' -H "Authorization: Bearer $STAGING_API_KEY"`,
  });
  const failing = catalogue.filter(({ level }) => level === 'MUST').slice(0, number);
  const changes = failing.map(({ id }) => [
    id,
    { verdict: 'fail' as const, findings: Array.from({ length: 12 }, (_, index) => finding(id, index)) },
  ]);
  return recordOf(sampleRows(Object.fromEntries(changes)));
}

/** A run whose target was not there. */
function unreached(): RunRecord {
  const rows = sampleRows({}).map((row) => ({
    ...row,
    verdict: 'inconclusive' as const,
    reason: 'the connection was refused',
    observations: [],
  }));
  const record = recordOf(rows);
  return { ...record, run: { ...record.run, complete: false, stopped: 'the connection was refused' } };
}

describe.skipIf(!there)('the report in Chromium', () => {
  let browser: Browser;
  const contexts = new Map<string, Promise<BrowserContext>>();
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'petstore-report-'));
    await writeFile(join(folder, 'faulty.html'), await renderHtml(htmlRun(faultyRecord())));
    await writeFile(join(folder, 'conforming.html'), await renderHtml(htmlRun(conformingRecord())));
    await writeFile(join(folder, 'cause.html'), await renderHtml(htmlRun(oneCauseRecord())));
    await writeFile(join(folder, 'load.html'), await renderHtml(htmlRun(loadRecord())));
    await writeFile(join(folder, 'many.html'), await renderHtml(htmlRun(manyFailures(16))));
    await writeFile(join(folder, 'all.html'), await renderHtml(htmlRun(manyFailures(catalogue.length))));
    await writeFile(join(folder, 'unreached.html'), await renderHtml(htmlRun(unreached())));
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** A page of a context that others have, too: each context is one more process of Chromium. */
  async function pageFor(kind: NonNullable<Opening['kind']>): Promise<Page> {
    const key = JSON.stringify(kind);
    const context = contexts.get(key) ?? browser.newContext(kind);
    contexts.set(key, context);
    const page = await (await context).newPage();
    // How long anything takes is the machine's doing: the test itself ends what never comes.
    page.setDefaultTimeout(0);
    return page;
  }

  async function opened<T>(
    name: Name,
    { viewport, kind = {}, ...media }: Opening,
    look: (page: Page) => Promise<T>,
  ): Promise<T> {
    const page = await pageFor(kind);
    try {
      if (viewport) await page.setViewportSize(viewport);
      await page.emulateMedia(media);
      await page.goto(pathToFileURL(join(folder, `${name}.html`)).href);
      return await look(page);
    } finally {
      await page.close();
    }
  }

  test.each(['faulty', 'conforming', 'load'] as const)(
    'says nothing on the console and asks for nothing but itself (%s)',
    async (name) => {
      const page = await pageFor({});
      const said: string[] = [];
      const asked: string[] = [];
      page.on('console', (message) => said.push(message.text()));
      page.on('pageerror', (error) => said.push(error.message));
      page.on('dialog', (dialog) => said.push(`dialog: ${dialog.message()}`));
      page.on('request', (request) => asked.push(request.url()));
      const address = pathToFileURL(join(folder, `${name}.html`)).href;
      await page.goto(address);
      await page.evaluate(`document.querySelectorAll('details').forEach((each) => { each.open = true; })`);
      await page.close();
      expect(said).toEqual([]);
      expect(asked).toEqual([address]);
    },
  );

  test.each([
    ['faulty', 'light', 1_280, 'screen'],
    ['faulty', 'dark', 400, 'screen'],
    ['faulty', 'light', 800, 'print'],
    ['cause', 'light', 800, 'screen'],
    ['load', 'dark', 1_280, 'screen'],
    ['unreached', 'dark', 800, 'screen'],
  ] as const)('has no axe violation (%s): %s, %d px wide, on %s', async (name, colorScheme, width, media) => {
    const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    const options = { colorScheme, media, viewport: { width, height: 900 }, kind: { bypassCSP: true } };
    const violations = await opened(name, options, async (page) => {
      await page.evaluate(`document.querySelectorAll('details').forEach((each) => { each.open = true; })`);
      await page.addScriptTag({ content: axe });
      const results = await page.evaluate<AxeResults>(`axe.run({ resultTypes: ['violations'] })`);
      return results.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
    });
    expect(violations).toEqual([]);
  });

  test.each([
    ['many', 6_000],
    ['all', 6_000],
    // Limits were measured, too.
    ['faulty', 7_500],
    ['conforming', 3_500],
    ['unreached', 3_500],
  ] as const)('is not too tall at first: %s, at most %d px', async (name, most) => {
    const heights = await opened(name, {}, async (page) => {
      const found: number[] = [];
      for (const width of [400, 800, 1_280]) {
        await page.setViewportSize({ width, height: 900 });
        found.push(await page.evaluate<number>(`document.documentElement.scrollHeight`));
      }
      return found;
    });
    expect(Math.max(...heights)).toBeLessThanOrEqual(most);
  });

  test('has one main, one banner, one navigation, and headings that skip no level', async () => {
    const { landmarks, levels } = await opened('faulty', {}, (page) =>
      page.evaluate<{ landmarks: number[]; levels: number[] }>(`({
        landmarks: ['main', 'body > header', 'nav', 'body > footer'].map((name) => document.querySelectorAll(name).length),
        levels: [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map((each) => Number(each.tagName[1])),
      })`),
    );
    expect(landmarks).toEqual([1, 1, 1, 1]);
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
  });

  test('is reached by the keyboard: the first stop skips to the report, an exchange opens on Enter', async () => {
    await opened('faulty', {}, async (page) => {
      await page.keyboard.press('Tab');
      expect(await page.evaluate(`document.activeElement.textContent`)).toBe('Skip to the report');
      await page.evaluate(`document.querySelectorAll('.proof').forEach((each) => { each.open = true; })`);
      const exchange = page.locator('.exchange:has(#exchange-e5)');
      await exchange.locator('summary').focus();
      await page.keyboard.press('Enter');
      expect(await exchange.getAttribute('open')).not.toBeNull();
    });
  });

  test('leads where its links say, below the bar that stays in sight', async () => {
    await opened('faulty', { reducedMotion: 'reduce' }, async (page) => {
      await page.click('.cause a[href="#cause-CREATE-12"]');
      const top = await page.evaluate<number>(
        `document.querySelector('#cause-CREATE-12').getBoundingClientRect().top`,
      );
      const bar = await page.evaluate<number>(`document.querySelector('nav').getBoundingClientRect().bottom`);
      expect(top).toBeGreaterThanOrEqual(bar);
      expect(top).toBeLessThan(200);
    });
  });

  test('unfolds an exchange that a link leads to', async () => {
    await opened('faulty', {}, async (page) => {
      expect(await page.locator('#exchange-e10').isVisible()).toBe(false);
      await page.click('#open summary');
      await page.click('#open-LIST-11 a[href="#exchange-e10"]');
      expect(await page.locator('#exchange-e10').isVisible()).toBe(true);
    });
  });

  test.each(['faulty', 'conforming', 'cause', 'load'] as const)(
    'fits a screen 390 px wide (%s)',
    async (name) => {
      const width = await opened(name, { viewport: { width: 390, height: 844 } }, async (page) => {
        await page.evaluate(`document.querySelectorAll('details').forEach((each) => { each.open = true; })`);
        return page.evaluate<number>(`document.documentElement.scrollWidth`);
      });
      expect(width).toBe(390);
    },
  );

  test('is whole on paper if asked: everything unfolded, nothing wider than the sheet', async () => {
    await opened('faulty', { viewport: { width: sheet, height: 900 } }, async (page) => {
      await page.check('#print-whole');
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      const cut = await page.evaluate<string[]>(`[...document.querySelectorAll('body *')]
        .filter((each) => each.checkVisibility() && !each.closest('svg, .hidden'))
        .filter((each) => each.getBoundingClientRect().right > ${sheet + 1} || each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).overflowX !== 'visible')
        .map((each) => each.outerHTML.slice(0, 80))`);
      expect(cut).toEqual([]);
      const hidden = await page.evaluate<number>(
        `[...document.querySelectorAll('details > *, .requirement')].filter((each) => !each.checkVisibility({ contentVisibilityAuto: true })).length`,
      );
      expect(hidden).toBe(0);
      expect(await page.evaluate(`getComputedStyle(document.body).color`)).toBe('rgb(22, 25, 29)');
    });
  });

  test('prints on at most eight sheets, with an outline, and with all details if asked', async () => {
    const pages = (whole: boolean): Promise<number> =>
      opened('faulty', {}, async (page) => {
        if (whole) await page.check('#print-whole');
        const pdf = await page.pdf({ preferCSSPageSize: true, outline: true, tagged: true });
        const text = pdf.toString('latin1');
        expect(text).toContain('/Outlines');
        // The tree of pages has branches; its root counts all of them.
        const counts = Array.from(
          text.matchAll(/\/Type \/Pages\s+(?:\/Parent [\d R]+\s+)?\/Count (\d+)/gu),
          ([, pages]) => Number(pages),
        );
        return Math.max(...counts);
      });
    expect(await pages(false)).toBeLessThanOrEqual(8);
    expect(await pages(true)).toBeGreaterThan(8);
  });
});
