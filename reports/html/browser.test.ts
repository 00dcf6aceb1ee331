import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunRecord, Finding } from '../../lib/evidence/record/record.js';
import { catalogue } from '../../lib/specification/catalogue.js';
import {
  conformingRecord,
  everyRow,
  faultyRecord,
  oneCauseRecord,
  recordOf,
  sampleRows,
} from '../testing/sample-record.js';
import { loadRecord } from '../testing/sample-load.js';
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
  const stopped = 'the connection was refused';
  const record = recordOf(everyRow(() => ({ verdict: 'inconclusive', reason: stopped, observations: [] })));
  return { ...record, run: { ...record.run, complete: false, stopped } };
}

const records = {
  faulty: faultyRecord,
  conforming: conformingRecord,
  cause: oneCauseRecord,
  load: loadRecord,
  all: () => manyFailures(catalogue.length),
  unreached,
};
type Name = keyof typeof records;

const unfoldAll = `document.querySelectorAll('details').forEach((each) => { each.open = true; })`;

describe.skipIf(!there)('the report in Chromium', () => {
  let browser: Browser;
  /** The only one: each is one more process of Chromium. Axe is injected past the Content-Security-Policy. */
  let context: BrowserContext;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'petstore-report-'));
    for (const [name, record] of Object.entries(records))
      await writeFile(join(folder, `${name}.html`), await renderHtml(htmlRun(record())));
    browser = await launchChromium();
    context = await browser.newContext({ bypassCSP: true });
  });

  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const addressOf = (name: Name): string => pathToFileURL(join(folder, `${name}.html`)).href;

  async function opened<T>(name: Name, width: number, look: (page: Page) => Promise<T>): Promise<T> {
    const page = await context.newPage();
    // How long anything takes is the machine's doing: the test itself ends what never comes.
    page.setDefaultTimeout(0);
    try {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(addressOf(name));
      return await look(page);
    } finally {
      await page.close();
    }
  }

  test.each(['faulty', 'conforming', 'cause', 'load'] as const)(
    'says nothing on the console, asks for nothing but itself, and fits a screen 390 px wide (%s)',
    async (name) => {
      // With its own policy in force.
      const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
      page.setDefaultTimeout(0);
      const said: string[] = [];
      const asked: string[] = [];
      page.on('console', (message) => said.push(message.text()));
      page.on('pageerror', (error) => said.push(error.message));
      page.on('dialog', (dialog) => said.push(`dialog: ${dialog.message()}`));
      page.on('request', (request) => asked.push(request.url()));
      await page.goto(addressOf(name));
      await page.evaluate(unfoldAll);
      const width = await page.evaluate<number>(`document.documentElement.scrollWidth`);
      await page.close();
      expect(said).toEqual([]);
      expect(asked).toEqual([addressOf(name)]);
      expect(width).toBe(390);
    },
  );

  test.each([
    // The largest page takes axe as long as all others together.
    ['faulty', 'dark 400 screen'],
    ['cause', 'light 1280 screen', 'light 800 print'],
    ['load', 'dark 1280 screen'],
    ['unreached', 'dark 800 screen'],
  ] as const)('has no axe violation (%s)', async (name, ...looks) => {
    const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    const violations = await opened(name, 800, async (page) => {
      await page.evaluate(unfoldAll);
      await page.addScriptTag({ content: axe });
      const found: string[] = [];
      for (const look of looks) {
        const [colorScheme, width, media] = look.split(' ');
        await page.setViewportSize({ width: Number(width), height: 900 });
        await page.emulateMedia({
          colorScheme: colorScheme === 'dark' ? 'dark' : 'light',
          media: media === 'print' ? 'print' : 'screen',
        });
        const results = await page.evaluate<AxeResults>(`axe.run({ resultTypes: ['violations'] })`);
        found.push(...results.violations.map(({ id, nodes }) => `${look} ${id}: ${nodes[0]?.html ?? ''}`));
      }
      return found;
    });
    expect(violations).toEqual([]);
  });

  test.each([
    ['all', 4_000, 7_000],
    // Limits were measured, too.
    ['faulty', 4_500, 7_000],
    ['conforming', 2_000, 2_500],
    ['unreached', 2_000, 2_500],
  ] as const)(
    'is not too tall at first: %s, at most %d px on a screen, %d px on a telephone',
    async (name, most, mostNarrow) => {
      await opened(name, 400, async (page) => {
        const height = (): Promise<number> => page.evaluate(`document.documentElement.scrollHeight`);
        expect(await height()).toBeLessThanOrEqual(mostNarrow);
        await page.setViewportSize({ width: 1_280, height: 900 });
        expect(await height()).toBeLessThanOrEqual(most);
      });
    },
  );

  test('has one main, one banner, one navigation, and headings that skip no level', async () => {
    const { landmarks, levels } = await opened('faulty', 1_280, (page) =>
      page.evaluate<{ landmarks: number[]; levels: number[] }>(`({
        landmarks: ['main', 'body > header', 'nav', 'body > footer'].map((name) => document.querySelectorAll(name).length),
        levels: [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map((each) => Number(each.tagName[1])),
      })`),
    );
    expect(landmarks).toEqual([1, 1, 1, 1]);
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
  });

  test('is reached by the keyboard: the first stop is the way to the causes, an exchange opens on Enter', async () => {
    await opened('faulty', 1_280, async (page) => {
      await page.keyboard.press('Tab');
      expect(await page.evaluate(`document.activeElement.textContent`)).toBe('What is wrong');
      const exchange = page.locator('.exchange:has(#exchange-e5)');
      await exchange.locator('summary').focus();
      await page.keyboard.press('Enter');
      expect(await exchange.getAttribute('open')).not.toBeNull();
      const section = page.locator('.section').first();
      await section.locator('summary').focus();
      await page.keyboard.press('Space');
      expect(await section.getAttribute('open')).not.toBeNull();
    });
  });

  test('copies a command with its button, which is there only if scripts run', async () => {
    await opened('faulty', 1_280, async (page) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.click('#cause-LIST-02 .command button');
      expect(await page.evaluate(`navigator.clipboard.readText()`)).toMatch(
        /^curl -sS -H "Authorization: .*limit=2'$/u,
      );
    });
    const still = await browser.newPage({ javaScriptEnabled: false });
    await still.goto(addressOf('faulty'));
    expect(await still.locator('.command button').first().isVisible()).toBe(false);
    expect(await still.locator('#cause-LIST-02 .command pre').first().isVisible()).toBe(true);
    await still.close();
  });

  test('leads from a cause to its requirement and from there to an exchange, and unfolds what its links lead to', async () => {
    await opened('faulty', 1_280, async (page) => {
      await page.emulateMedia({ reducedMotion: 'reduce' });
      expect(await page.locator('#LIST-02').isVisible()).toBe(false);
      await page.click('.chips a[href="#LIST-02"]');
      expect(await page.locator('#LIST-02').isVisible()).toBe(true);
      expect(await page.locator('#exchange-e7').isVisible()).toBe(false);
      await page.click('#LIST-02 a[href="#exchange-e7"]');
      expect(await page.locator('#exchange-e7').isVisible()).toBe(true);
    });
  });

  test('fits on paper, unfolded but for the exchanges', async () => {
    await opened('faulty', sheet, async (page) => {
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      const cut = await page.evaluate<string[]>(`[...document.querySelectorAll('body *')]
        .filter((each) => each.checkVisibility() && !each.closest('svg'))
        .filter((each) => each.getBoundingClientRect().right > ${sheet + 1} || each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).overflowX !== 'visible')
        .map((each) => each.outerHTML.slice(0, 80))`);
      expect(cut).toEqual([]);
      const hidden = await page.evaluate<number>(
        `[...document.querySelectorAll('.requirement, .cause dd')].filter((each) => !each.closest('.found') && !each.checkVisibility({ contentVisibilityAuto: true })).length`,
      );
      expect(hidden).toBe(0);
      expect(await page.evaluate(`getComputedStyle(document.body).color`)).toBe('rgb(22, 25, 29)');
    });
  });

  test('prints on at most eight sheets, with an outline', async () => {
    await opened('faulty', 1_280, async (page) => {
      const sheets = async (): Promise<number> => {
        const pdf = await page.pdf({ preferCSSPageSize: true, outline: true, tagged: true });
        const text = pdf.toString('latin1');
        expect(text).toContain('/Outlines');
        // The tree of pages has branches; its root counts all of them.
        const counts = text.matchAll(/\/Type \/Pages\s+(?:\/Parent [\d R]+\s+)?\/Count (\d+)/gu);
        return Math.max(...Array.from(counts, ([, pages]) => Number(pages)));
      };
      expect(await sheets()).toBeLessThanOrEqual(8);
    });
  });
});
