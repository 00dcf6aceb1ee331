// <title>
import http from 'k6/http';
import { check, sleep } from 'k6';

const base = __ENV.PETSTORE_BASE_URL || '<base>';
const headers = { Authorization: `Bearer ${__ENV.PETSTORE_API_KEY}`, Accept: 'application/json' };
const limit = '<perMinute>';

export const options = { vus: 1, iterations: 1, thresholds: { checks: ['rate==1'] } };

const list = () => http.get(`${base}/pets?limit=1`, { headers, redirects: 0 });

export default function () {
  const { headers: first } = list();
  // A window of its own: the one before may be used already.
  sleep(Math.max(0, Number(first['X-Ratelimit-Reset']) - Date.now() / 1000) + 1);
  const begin = Date.now();
  const responses = Array.from({ length: limit + 3 }, list);
  const rejected = responses.filter(({ status }) => status === 429);
  const admitted = responses.filter(({ status }) => status === 200);
  const isOneWindow = Date.now() - begin < 60_000;
  check(responses, {
    'no more than the limit is admitted in a window': () => !isOneWindow || admitted.length <= limit,
    'the whole limit is admitted': () => admitted.length >= limit,
    'Remaining falls by one': () =>
      admitted.slice(1).every((one, index) => {
        const [before, after] = [admitted[index], one].map((each) =>
          Number(each.headers['X-Ratelimit-Remaining']),
        );
        return after === before - 1 || after > before;
      }),
    'each 429 has a Retry-After': () =>
      rejected.every(({ headers: own }) => /^[1-9][0-9]*$|GMT$/.test(own['Retry-After'] || '')),
  });
  if (rejected.length === 0) return;
  const { 'Retry-After': told = '60' } = rejected[rejected.length - 1].headers;
  const seconds = /^[0-9]+$/.test(told) ? Number(told) : (Date.parse(told) - Date.now()) / 1000;
  sleep(Math.min(Math.max(seconds, 0), 120) + 0.05);
  check(list(), { 'a request is served once Retry-After has passed': ({ status }) => status === 200 });
}
