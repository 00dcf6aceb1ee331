import type { JSX } from 'preact';
import type { RunRecord } from '../../../lib/record/record.js';
import { outcomes, outcomeTexts, tally } from '../../summary/requirement-outcome.js';
import { integer } from '../../text/quantity.js';

/** The filter of the whole page, by outcome and by text. It is hidden without the script: then everything is there. */
export function Filter({ record }: { readonly record: RunRecord }): JSX.Element {
  const counts = tally(record.requirements, record);
  return (
    <div id="filter" class="filter" role="search" hidden>
      <label>
        Find <input type="search" id="filter-text" autocomplete="off" spellcheck={false} />
      </label>
      <label>
        Show{' '}
        <select id="filter-outcome">
          <option value="">All outcomes</option>
          {outcomes
            .filter((outcome) => counts[outcome] > 0)
            .map((outcome) => (
              <option value={`is-${outcome}`}>
                {outcomeTexts[outcome].word} ({integer(counts[outcome])})
              </option>
            ))}
        </select>
      </label>
      <output id="filter-count" aria-live="polite" />
    </div>
  );
}

/**
 * Hides the items without the text or the outcome, and the parts in which none is left, and unfolds those that hold one.
 * It reads text and sets nothing but `hidden`, `open` and its own count.
 */
export const filterScript = `
(() => {
  const [bar, text, outcome, count] = ['filter', 'filter-text', 'filter-outcome', 'filter-count'].map((id) => document.getElementById(id));
  if (!bar) return;
  const items = [...document.querySelectorAll('.item, #appendix .exchange')];
  const parts = [...document.querySelectorAll('main > section, .clause')].reverse();
  const folded = new Map([...document.querySelectorAll('details')].map((each) => [each, each.open]));
  const words = new Map(items.map((each) => [each, each.textContent.toLowerCase()]));
  const filter = () => {
    const wanted = text.value.trim().toLowerCase();
    const active = wanted + outcome.value !== '';
    for (const [each, open] of folded) each.open = open;
    for (const each of items) each.hidden = !words.get(each).includes(wanted) || (outcome.value !== '' && !each.matches('.' + outcome.value));
    for (const each of parts) {
      const own = [...each.querySelectorAll('.item, .exchange')].filter((item) => words.has(item));
      each.hidden = active && !own.some((item) => !item.hidden);
    }
    for (const each of active ? folded.keys() : [])
      if ([...each.querySelectorAll('.item')].some((item) => !item.hidden)) each.open = !each.matches('.exchange');
    const shown = items.filter((each) => !each.hidden).length;
    count.textContent = active ? shown + ' of ' + items.length + ' entries' : '';
  };
  text.addEventListener('input', filter);
  outcome.addEventListener('change', filter);
  bar.hidden = false;
})();
`
  .replaceAll(/\n\s*/gu, '\n')
  .trim();
