import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { har } from './har.js';
import { hasChromium, launchChromium } from './html/testing/browser.js';
import { writeReport } from './renderer.js';
import { sampleExchanges } from './testing/sample-exchanges.js';
import { sampleRun } from './testing/sample-folder.js';

describe.skipIf(!(await hasChromium()))('the HTTP Archive in Chromium', () => {
  it('answers a request again as the target did', async () => {
    const run = await sampleRun();
    await writeReport(run, har);
    const recorded = sampleExchanges().find(
      ({ request, response }) => request.method === 'GET' && response?.status === 200,
    );
    const browser = await launchChromium();
    try {
      const context = await browser.newContext();
      await context.routeFromHAR(join(run.directory, har.file), { notFound: 'abort' });
      const page = await context.newPage();
      const answer = await page.goto(recorded?.request.url ?? '');
      expect(answer?.status()).toBe(200);
      expect(await answer?.text()).toBe(recorded?.response?.body.text);
      expect(await answer?.headerValue('X-RateLimit-Limit')).toBe(
        recorded?.response?.headers.find(([name]) => name === 'X-RateLimit-Limit')?.[1],
      );
      await expect(page.goto('https://staging.petstore.example/v1/never-asked')).rejects.toThrow(
        'ERR_FAILED',
      );
    } finally {
      await browser.close();
    }
  });
});
