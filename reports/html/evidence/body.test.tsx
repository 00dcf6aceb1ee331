import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { Body } from './body.js';

const page = JSON.stringify(Array.from({ length: 100 }, (_, id) => ({ id, name: `n${id}` })));
const html = (pointer?: string) =>
  renderToString(<Body text={page} pointer={pointer} />).replaceAll('&quot;', '"');

test('a long body is cut to its beginning and its end, and says by how much', () => {
  expect(html()).toContain('… 375 lines left out …');
  expect(html().match(/"id"/g)?.length).toBeLessThan(10);
});

test('what a pointer marks is shown with the lines around it', () => {
  expect(html('/57/name')).toContain('<mark><bdi>"name": "n57"');
  expect(html('/57/name').match(/lines left out/g)).toHaveLength(2);
  expect(html('/57/status')).toContain('← status is missing here');
});

test('a short body is whole, and a text that is not JSON stays as it came', () => {
  expect(renderToString(<Body text="[1,2]" />)).not.toContain('left out');
  expect(renderToString(<Body text={'a\n<b>'} />)).toBe('<pre class="body">a\n&lt;b></pre>');
});
