// <title>
import { expect, test } from 'vitest';

const base = process.env.PETSTORE_BASE_URL ?? '<base>';
const key = process.env.PETSTORE_API_KEY ?? '';

// In braces: the key, and the id of the animal that the first request creates.
const requests = '<requests>';
// The statuses that the last response may have.
const expected = '<expected>';

test('<title>', async () => {
  let id = '';
  let response;
  for (const { method, path, headers, body } of requests) {
    response = await fetch(base + path.replace('{id}', id), {
      method,
      headers: Object.entries(headers).map(([name, value]) => [name, value.replace('{key}', () => key)]),
      body,
      redirect: 'manual',
    });
    id ||= /"id"\s*:\s*"?(-?\d+)/.exec(await response.text())?.[1];
  }
  expect(expected).toContain(response.status);
});
