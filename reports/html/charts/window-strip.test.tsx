import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { sampleExplanation } from '../../testing/sample-explanation.js';
import { sampleExchanges } from '../../testing/sample-exchanges.js';
import { outcomesText, WindowStrip } from './window-strip.js';

const [sequence, burst] = sampleExplanation().windows;
if (!sequence || !burst) throw new Error('the sample has two windows');
const shown = {
  leftOut: 0,
  find: (id: string) => sampleExchanges().find((exchange) => exchange.id === id),
  at: () => [],
};
const html = (window: typeof sequence) =>
  renderToString(<WindowStrip window={window} id="strip" title="A window" shown={shown} />);

test('a strip has a mark for each outcome, and says how many there are', () => {
  expect(outcomesText(burst.points)).toBe('61 admitted and 4 rejected');
  expect(html(burst)).toContain('65 requests: 61 admitted and 4 rejected. Remaining: reported from 59 to 0.');
  expect(html(burst).match(/class="mark-[a-z]+"/g)).toEqual([
    'class="mark-admitted"',
    'class="mark-rejected"',
  ]);
  expect(/class="mark-rejected" d="([^"]*)"/.exec(html(burst))?.[1]?.match(/M/g)).toHaveLength(4);
});

test('the exchanges of a certificate are ringed, and those that the report holds have a link', () => {
  expect(html(sequence)).not.toContain('class="ring"');
  expect(html(burst).match(/class="ring"/g)).toHaveLength(2);
  expect(html(burst)).toContain('<a href="#exchange-e1"');
  expect(html(burst)).not.toContain('#exchange-e61');
});

test('a long wait is cut short, and the steady time between requests is not', () => {
  expect(html(sequence).match(/class="wait"/g)).toHaveLength(1);
  expect(html(sequence)).toContain('seconds; waits cut short');
});

test('a window in which nobody reported Remaining has its requests all the same', () => {
  const points = burst.points.map(({ id, sent, received, operation, outcome, status }) => {
    return { id, sent, received, operation, outcome, status };
  });
  expect(html({ ...burst, points })).toContain('Remaining: not reported.');
  expect(html({ ...burst, points: [] })).toContain('0 requests');
});
