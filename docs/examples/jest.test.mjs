// Jest: the same. The package consists of ES modules, for which Jest needs a flag of Node:
// run `node --experimental-vm-modules node_modules/jest/bin/jest.js --testMatch='**/jest.test.mjs'`.
import { expectConformant, runConformance } from 'petstore-conformance';

test('the service conforms', async () => {
  const record = await runConformance({
    baseUrl: process.env.PETSTORE_BASE_URL,
    apiKey: process.env.PETSTORE_API_KEY,
    plan: 'business',
  });
  expectConformant(record);
}, 120_000);
