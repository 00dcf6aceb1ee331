// Vitest: one test for each requirement. Run `npx vitest run vitest.test.mjs`.
import { conformanceTests } from 'petstore-conformance/vitest';

conformanceTests({
  baseUrl: process.env.PETSTORE_BASE_URL,
  apiKey: process.env.PETSTORE_API_KEY,
  plan: 'business',
});
