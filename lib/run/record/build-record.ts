import { createHash } from 'node:crypto';
import { mayBeWord } from '../../evidence/redaction.js';
import type { Engine } from '../engine.js';
import { suiteDigest } from '../suite-code.js';
import { suiteName, suiteVersion } from '../suite-name.js';
import { environmentOf } from './run-environment.js';
import { measurementOf } from '../../limits/limits-of-run.js';
import type { RunRecord } from '../../record/record.js';
import type { Settings } from '../settings.js';
import { redacted } from './record-redaction.js';
import { recordedCauses } from '../../verdict/causes.js';
import { classResult, runVerdict } from '../../verdict/class-verdict.js';

export interface RunEnd {
  readonly id: string;
  readonly startedAt: string;
  /** Why the run did not reach its end; absent if it did. */
  readonly stopped?: string | undefined;
  /** Why a selected requirement was never judged, if it was not. */
  readonly reason?: string | undefined;
}

/** What a record is built from: the engine of a run, or a load, which judges nothing. */
export type RecordedRun = Pick<Engine, 'session' | 'results' | 'classes' | 'notes' | 'obstacle'>;

/** The record of a run as it stands: at its end, or at any moment before. */
export function buildRecord(engine: RecordedRun, settings: Settings, end: RunEnd): RunRecord {
  const { target, strict, clock } = settings;
  const { client, limits, addresses } = engine.session;
  const requirements = engine.results(end.reason);
  const classes = engine.classes.map((id) => classResult(id, requirements, { strict }));
  const stopped = end.stopped ?? client.stopped?.message ?? limits?.stopped;
  const notes = [...engine.notes, ...(limits?.notes ?? [])];
  const record: RunRecord = {
    format: 'petstore-conformance/1',
    suite: { name: suiteName, version: suiteVersion, digest: suiteDigest() },
    run: {
      id: end.id,
      startedAt: end.startedAt,
      finishedAt: new Date(clock.now()).toISOString(),
      seed: settings.seed,
      profile: settings.profile,
      limits: settings.limits,
      complete: stopped === undefined,
      ...(stopped === undefined ? {} : { stopped }),
      command: settings.command,
      strict,
      environment: environmentOf(settings.environment),
      options: optionsOf(settings, engine.session),
    },
    target: {
      name: target.name,
      baseUrl: target.baseUrl,
      plan: target.plan.name,
      perMinute: target.plan.perMinute,
      perDay: target.plan.perDay,
      planGiven: target.planGiven,
      readOnly: target.readOnly,
      ...(target.localAddresses && { localAddresses: [...target.localAddresses] }),
      ...(mayBeWord(target.apiKey) ? { keyMayBeWord: true } : {}),
      clockDifferenceMs: client.log.clockDifference.milliseconds,
      ...(addresses.all.length > 0 && { addresses: [...addresses.all] }),
    },
    verdict: runVerdict(classes),
    classes,
    causes: recordedCauses(requirements),
    requirements,
    requests: {
      sent: client.log.sent,
      byOperation: { ...client.log.byOperation },
      waitedMs: client.waitedMs,
      byOrigin: { [new URL(target.baseUrl).origin]: client.log.sent },
      repeated: client.log.repeated,
    },
    leftovers: engine.session.knownPets.leftovers(),
    ...(limits && { plans: limits.plans.map(measurementOf) }),
    ...(engine.obstacle && { obstacle: engine.obstacle.sentence }),
    ...(notes.length === 0 ? {} : { notes }),
  };
  return redacted(record, engine.session.redact);
}

/** Characters of a description that a record holds. */
const longestDescription = 1_000_000;

function optionsOf(
  {
    only,
    except,
    maximumRequests,
    bail,
    target: { consistencyMs, categoryId, optionNames },
    description,
    descriptionMayLeaveHost = false,
    resume,
  }: Settings,
  { descriptionFiles, redact }: RecordedRun['session'],
): RunRecord['run']['options'] {
  const files = descriptionFiles.map(({ address, text, problem }) => ({
    address: redact(address),
    ...(text === undefined ? {} : { text: redact(text) }),
    ...(problem === undefined ? {} : { problem: redact(problem) }),
  }));
  const length = files.reduce((sum, { text = '' }) => sum + text.length, 0);
  return {
    only: [...only],
    except: [...except],
    ...(maximumRequests === undefined ? {} : { maximumRequests }),
    ...(bail === undefined ? {} : { bail }),
    consistencyMs,
    ...(categoryId === undefined ? {} : { categoryId: String(categoryId) }),
    ...(optionNames && { names: { ...optionNames } }),
    ...(description !== undefined && {
      description: {
        source: redact(description),
        ...(descriptionFiles[0]?.text !== undefined && { sha256: sha256(descriptionFiles[0].text) }),
        allowOtherHosts: descriptionMayLeaveHost,
        ...(length <= longestDescription && { files }),
      },
    }),
    resumed: resume !== undefined,
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
