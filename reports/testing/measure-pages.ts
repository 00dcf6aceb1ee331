import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { launchChromium } from '../html/testing/browser.js';

/**
 * Measures the HTML reports of runs in Chromium, each in light, in dark and on paper: their height, what axe finds with
 * everything unfolded, and the sheets that they are printed on: `npx tsx reports/testing/measure-pages.ts DIR…`.
 */
const widths = [400, 800, 1_280];
const looks = [
  { media: 'screen', colorScheme: 'light' },
  { media: 'screen', colorScheme: 'dark' },
  { media: 'print', colorScheme: 'light' },
] as const;

async function sheets(page: Page): Promise<number> {
  const pdf = await page.pdf({ preferCSSPageSize: true });
  // The tree of pages has branches; its root counts all of them.
  const counts = pdf.toString('latin1').matchAll(/\/Type \/Pages\s+\/Count (\d+)/gu);
  return Array.from(counts, ([, pages]) => Number(pages)).reduce((most, one) => Math.max(most, one), 0);
}

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const browser = await launchChromium();
for (const directory of process.argv.slice(2)) {
  const address = pathToFileURL(resolve(join(directory, 'report.html'))).href;
  const context = await browser.newContext({ bypassCSP: true });
  const page = await context.newPage();
  const heights: string[] = [];
  const violations: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(address);
    heights.push(`${await page.evaluate<number>(`document.documentElement.scrollHeight`)} px at ${width}`);
    await page.evaluate(`document.querySelectorAll('details').forEach((each) => { each.open = true; })`);
    await page.addScriptTag({ content: axe });
    for (const look of looks) {
      await page.emulateMedia(look);
      const results = await page.evaluate<AxeResults>(`axe.run({ resultTypes: ['violations'] })`);
      violations.push(
        ...results.violations.map(({ id }) => `${id} at ${width}, ${look.media} ${look.colorScheme}`),
      );
    }
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
  }
  await page.goto(address);
  console.log(
    `${directory}: ${heights.join(', ')}; ${await sheets(page)} sheets; axe: ${violations.join(', ') || 'nothing'}`,
  );
  await context.close();
}
await browser.close();
