import { describe, expect, it } from 'vitest';
import { catalogue } from '../specification/catalogue.js';
import { UsageProblem } from './usage-problem.js';
import { explainText, listText } from './explain-command.js';
import { clauses } from './testing/clauses.js';
import { quoteOf, requirementPage } from './testing/requirement-page.js';

const explain = (...argv: string[]): string => explainText(argv);
const list = (...argv: string[]): string => listText(argv);

describe('explain', () => {
  it('prints the page of a requirement, in any case', () => {
    const text = explain('list-02');
    expect(text).toMatch(/^## LIST-02\n\n\*\*`limit=n`/);
    for (const part of [
      '> | limit | integer | minimum 1, maximum 100 | 20 |',
      '> **8 Page size**',
      '### How it is judged',
      '- A page holds one animal more than the limit.',
      '### How to fix it',
    ])
      expect(text).toContain(part);
  });

  it('names the nearest id for one that does not exist', () => {
    expect(() => explain('LIST-99')).toThrow(UsageProblem);
    expect(() => explain('LSIT-02')).toThrow(
      'must be the name of a requirement; got "LSIT-02". Did you mean LIST-02?',
    );
  });
});

describe('docs/requirements.md', () => {
  it('has the page of each requirement; if not, run `npm run pages` and commit what it writes', async () => {
    const pages = catalogue.map(({ id }) => requirementPage(id)).join('\n');
    await expect(pages).toMatchFileSnapshot('../../docs/requirements.md');
    expect(explain()).toBe(pages);
  });

  it('quotes every clause of the specification', () => {
    expect(clauses.filter(({ anchor }) => quoteOf(anchor).text.length < 10)).toEqual([]);
    expect(quoteOf('2-pet').text).toMatch(/^A Pet has all fields/);
    expect(quoteOf('9.2').text).toBe('The interface description carries the version number 1.0.0.');
  });
});

describe('list', () => {
  it('has a line for each requirement, or for those that are named', () => {
    expect(list().trim().split('\n')).toHaveLength(catalogue.length);
    expect(list('VERSION')).toBe('VERSION-01 MUST     The base address ends with `/v1` (§ 1, 9.1)\n');
  });
});
