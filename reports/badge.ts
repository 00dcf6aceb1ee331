import type { ClassVerdict } from '../lib/record/record.js';
import type { FinishedRun } from './finished-run.js';
import type { Renderer } from './renderer.js';
import { tally } from './summary/requirement-outcome.js';
import { isLoad } from './summary/load-summary.js';
import { selectedResults } from './summary/class-summary.js';
import { verdictOf } from './summary/verdict-sentences.js';

const colours = {
  conformant: 'brightgreen',
  partial: 'yellowgreen',
  incomplete: 'yellow',
  'non-conformant': 'red',
} as const satisfies Record<ClassVerdict, string>;

/** The verdict as a badge, in the format that shields.io reads from an address: https://shields.io/badges/endpoint-badge */
export const badge = {
  name: 'badge',
  file: 'badge.json',
  summary: 'the verdict for a badge of shields.io',
  async *render({ record }: FinishedRun) {
    const { fail } = tally(selectedResults(record), record);
    const { word } = verdictOf(record);
    yield `${JSON.stringify({
      schemaVersion: 1,
      label: isLoad(record) ? 'Pet Store load' : 'Pet Store Service',
      message: fail > 0 ? `${word}, ${fail} failed` : word,
      color: isLoad(record) ? 'blue' : colours[record.verdict],
      isError: record.verdict === 'non-conformant',
    })}\n`;
  },
} as const satisfies Renderer;
