import { durationOf } from '../options/duration.js';

/** A part of a load with evenly spaced requests. */
export interface Stage {
  readonly durationMs: number;
  /** May be a fraction. */
  readonly ratePerSecond: number;
}

const mostPerSecond = 10_000;

/** Reads `10/s` and `55/min` as requests per second; undefined for other texts, and for more than 10,000. */
export function rateOf(text: string): number | undefined {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\/(s|min|m)$/.exec(text) ?? [];
  const perSecond = Number(number) / (unit === 's' ? 1 : 60);
  return perSecond > 0 && perSecond <= mostPerSecond ? perSecond : undefined;
}

/** Reads `10s@50/s,30s@200/s`; undefined for other texts. */
export function stagesOf(text: string): Stage[] | undefined {
  const stages = text.split(',').map((part) => {
    const [, time = '', rate = ''] = /^\s*([^@]+)@([^@]+?)\s*$/.exec(part) ?? [];
    const durationMs = durationOf(time) ?? 0;
    const ratePerSecond = rateOf(rate) ?? 0;
    return { durationMs, ratePerSecond };
  });
  return stages.every(({ durationMs, ratePerSecond }) => durationMs > 0 && ratePerSecond > 0)
    ? stages
    : undefined;
}

export function durationOfStages(stages: readonly Stage[]): number {
  return stages.reduce((sum, { durationMs }) => sum + durationMs, 0);
}

/** Stages, with the moment at which each begins, and the number of its first request. */
function begun(stages: readonly Stage[]) {
  let begin = 0;
  let first = 0;
  return stages.map((stage) => {
    const { durationMs, ratePerSecond } = stage;
    const one = { ...stage, begin, first };
    begin += durationMs;
    first += Math.max(1, Math.floor((ratePerSecond * durationMs) / 1_000));
    return { ...one, next: first };
  });
}

/** Requests of a whole load; each stage has at least one. */
export function requestsIn(stages: readonly Stage[]): number {
  return begun(stages).at(-1)?.next ?? 0;
}

/** When a request of the whole load is to be sent, from 0, in milliseconds after its beginning. */
export function momentIn(stages: readonly Stage[], index: number): number {
  const stage = begun(stages).findLast(({ first }) => first <= index);
  return stage ? stage.begin + ((index - stage.first) * 1_000) / stage.ratePerSecond : 0;
}

/** The stage, from 0, of a moment after the beginning in milliseconds. */
export function stageAt(stages: readonly Stage[], moment: number): number {
  return Math.max(
    0,
    begun(stages).findLastIndex(({ begin }) => begin <= moment),
  );
}
