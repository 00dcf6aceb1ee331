// <title>
import { expect, test } from 'vitest';

const base = process.env.PETSTORE_BASE_URL ?? '<base>';
const key = process.env.PETSTORE_API_KEY ?? '';

// In braces: the key, and the id of the animal that the first request creates.
const requests = '<requests>';
// What the last response must show: its status, a header, a value in its body, or its text.
const expected = '<expected>';

test('<title>', async () => {
  let id = '';
  let response, text;
  for (const { method, path, headers, body } of requests) {
    response = await fetch(base + path.replace('{id}', id), {
      method,
      headers: Object.entries(headers).map(([name, value]) => [name, value.replace('{key}', () => key)]),
      body,
      redirect: 'manual',
    });
    text = await response.text();
    id ||= /"id"\s*:\s*"?(-?\d+)/.exec(text)?.[1];
  }
  const { part, names, pattern } = expected;
  const shown = {
    status: () => String(response.status),
    header: () => response.headers.get(names[0]) ?? '',
    value: () => JSON.stringify(names.reduce((value, name) => value?.[name], JSON.parse(text))) ?? '',
    text: () => text,
  };
  expect(shown[part]()).toMatch(new RegExp(pattern));
});
