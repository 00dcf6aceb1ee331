import type { Redact } from '../http/redaction/redaction.js';
import type { Finding, Observation, RequirementResult, RunRecord } from '../record/record.js';

/**
 * A row without secrets. What was recorded of a target holds none, but a text of it that a probe took apart and put
 * together again might.
 */
export function redactedResult(result: RequirementResult, redact: Redact): RequirementResult {
  return {
    ...result,
    ...(result.reason === undefined ? {} : { reason: redact(result.reason) }),
    findings: result.findings.map((finding) => redactedFinding(finding, redact)),
    ...(result.observations && {
      observations: result.observations.map((one) => redactedObservation(one, redact)),
    }),
    ...(result.notes && { notes: result.notes.map(redact) }),
  };
}

/** A record without secrets, beside those that its target's name and the words of this suite might happen to hold. */
export function redactedRecord(record: RunRecord, redact: Redact): RunRecord {
  const { run, target, requests } = record;
  return {
    ...record,
    run: {
      ...run,
      command: redact(run.command),
      ...(run.stopped === undefined ? {} : { stopped: redact(run.stopped) }),
    },
    target: { ...target, baseUrl: redact(target.baseUrl) },
    requirements: record.requirements.map((result) => redactedResult(result, redact)),
    requests: {
      ...requests,
      ...(requests.repeated && {
        repeated: requests.repeated.map((one) => ({ ...one, reason: redact(one.reason) })),
      }),
    },
    leftovers: record.leftovers.map(({ id, name }) => ({ id: redact(id), name: redact(name) })),
    ...(record.plans && {
      plans: record.plans.map((plan) => ({
        ...plan,
        requirements: plan.requirements.map((result) => redactedResult(result, redact)),
      })),
    }),
    ...(record.notes && { notes: record.notes.map(redact) }),
  };
}

function redactedFinding(finding: Finding, redact: Redact): Finding {
  const { expected, received, reproduce, pointer } = finding;
  return {
    ...finding,
    message: redact(finding.message),
    ...(expected === undefined ? {} : { expected: redact(expected) }),
    ...(received === undefined ? {} : { received: redact(received) }),
    ...(reproduce === undefined ? {} : { reproduce: redact(reproduce) }),
    ...(pointer === undefined ? {} : { pointer: redact(pointer) }),
  };
}

function redactedObservation(observation: Observation, redact: Redact): Observation {
  return {
    ...observation,
    subject: redact(observation.subject),
    behaviour: redact(observation.behaviour),
  };
}
