import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OutputProblem } from '../evidence/record/run-files.js';
import { requirementRow } from '../specification/catalogue.js';
import { notTestedResult } from '../verdict/judgement.js';
import { unfinishedRecords } from './conformance.js';

const result = notTestedResult(requirementRow('LIST-01').id, 'not selected');

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('writes what was judged a second later, though nothing else is judged then', () => {
  const write = vi.fn();
  const told = vi.fn();
  const { listener } = unfinishedRecords({ result: told }, write);
  for (let times = 0; times < 40; times += 1) listener.result?.(result);
  expect(told).toHaveBeenCalledTimes(40);
  vi.advanceTimersByTime(1_000);
  expect(write).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(8_000);
  expect(write).toHaveBeenCalledTimes(1);
});

it('writes every ten seconds of a wait, until it is stopped, and bears with a full disk', () => {
  const write = vi.fn(() => {
    throw new OutputProblem('no room');
  });
  const { stop } = unfinishedRecords(undefined, write);
  vi.advanceTimersByTime(20_000);
  expect(write).toHaveBeenCalledTimes(2);
  stop();
  vi.advanceTimersByTime(60_000);
  expect(write).toHaveBeenCalledTimes(2);
});
