import type { OperationName } from '../http/exchange/exchange.js';
import { operationsOf } from '../sustained/load-operations.js';
import type { FleetPlan } from './fleet-plan.js';

/** One request of the fleet's plan: its place in the whole, when it is sent, and what. */
export interface Arrival {
  /** From 0, in the order of the whole. */
  readonly number: number;
  /** Milliseconds after the start. */
  readonly atMs: number;
  readonly operation: OperationName;
}

/** Requests of each worker that measure the difference of its clock to the target's, at most. */
export const mostMeasurements = 12;

/** Every request of the whole: what one machine would send. */
export function arrivalsOf({ load }: Pick<FleetPlan, 'load'>): Arrival[] {
  const next = operationsOf(load.mix);
  const interval = 1_000 / load.ratePerSecond;
  return Array.from({ length: load.count + load.volley }, (_, number) => ({
    number,
    atMs: Math.min(number, load.count) * interval,
    operation: next(),
  }));
}

/** Whether a request of the whole is a worker's: they are dealt out in turn, so that rates and volleys divide exactly. */
export function isOwn(number: number, worker: number, { workers }: Pick<FleetPlan, 'workers'>): boolean {
  return number % workers === worker;
}

/** A worker's part of the budget: the parts of all workers are the whole. */
export function budgetOf({ budget, workers }: Pick<FleetPlan, 'budget' | 'workers'>, worker: number): number {
  return Math.floor(budget / workers) + (worker < budget % workers ? 1 : 0);
}
