/**
 * What the package offers to programs: the run that `npx petstore-conformance` makes, its record, and the catalogue.
 * The record as JSON Schema is `petstore-conformance/report.schema.json`, the interface description of the specification
 * `petstore-conformance/openapi.json`.
 */
export { runConformance } from './run-conformance.js';
export type { RunConformanceOptions } from './options/run-options.js';
export { UsageProblem } from './explain/usage-problem.js';
export { OutputProblem, RecordLost } from './evidence/record/run-files.js';
export { exitCode } from './verdict/class-verdict.js';
export { describeFindings, expectConformant } from '../reports/test-case.js';

export { runRecordSchema } from './evidence/record/record.js';
export type { PlanMeasurement } from './evidence/record/measurements.js';
export type { RunRecord } from './evidence/record/record.js';
export type {
  ClassResult,
  ClassVerdict,
  Finding,
  Observation,
  RequirementResult,
  Verdict,
} from './evidence/record/record.js';
export { exchangeSchema } from './evidence/recorded-exchange.js';
export type { RecordedExchange as Exchange } from './evidence/recorded-exchange.js';

export { catalogue } from './specification/catalogue.js';
export type { CatalogueRow, Level, RequirementClass, RequirementId } from './specification/catalogue.js';
export { plans } from './specification/plan.js';
export type { Plan, PlanName } from './specification/plan.js';
