import { expect, it } from 'vitest';
import { notTestedResult } from '../verdict/judgement.js';
import { failureLine, progressLines, type ProgressState } from './progress.js';

const state: ProgressState = {
  total: 61,
  judged: 14,
  failures: ['✗ LIST-02'],
  sent: 104,
  wait: null,
  activity: null,
};

it('counts what was judged, failed and sent', () => {
  expect(progressLines(state, 0)).toEqual(['14 of 61 requirements judged, 1 failed, 104 requests']);
  expect(progressLines({ ...state, sent: 1 }, 0)[0]).toContain('1 failed, 1 request');
});

it('tells a wait in a line of its own, so that a terminal of 80 columns shows its reason', () => {
  const wait = { until: 61_500, reason: "the plan's requests of this minute are used up" };
  const [, line = ''] = progressLines({ ...state, wait }, 20_000);
  expect(line).toBe("waiting 42 s: the plan's requests of this minute are used up");
  expect(line.length).toBeLessThan(80);
});

it('tells what is done, and the seconds that are left of its wait', () => {
  const activity = { text: 'waiting as the 429 says', until: 61_500 };
  const at = (now: number): string[] => progressLines({ ...state, activity }, now).slice(1);
  expect(at(0)).toEqual(['waiting as the 429 says, 62 s']);
  expect(at(15_000)).toEqual(['waiting as the 429 says, 47 s']);
  expect(at(61_500)).toEqual(['waiting as the 429 says']);
});

it('shows a failure in a line, with nothing of the target that could move the cursor', () => {
  const finding = { message: 'got \u001b[2J\n200', exchanges: [] };
  const result = { ...notTestedResult('LIST-02', ''), verdict: 'fail', findings: [finding] } as const;
  expect(failureLine({ ...result, findings: [...result.findings] })).toBe('✗ LIST-02  got \\x1b[2J\\n200');
});
