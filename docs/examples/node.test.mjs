// Node's own test runner: one test, which fails with all findings as text. Run `node --test node.test.mjs`.
import { test } from 'node:test';
import { expectConformant, runConformance } from 'petstore-conformance';

test('the service conforms', async () => {
  const record = await runConformance({
    baseUrl: process.env.PETSTORE_BASE_URL,
    apiKey: process.env.PETSTORE_API_KEY,
    plan: 'business',
  });
  expectConformant(record);
});
