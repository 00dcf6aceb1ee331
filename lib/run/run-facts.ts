import { createHash } from 'node:crypto';
import { Interrupted } from '../http/client/run-end.js';
import { mayBeWord } from '../evidence/redaction.js';
import type { RunRecord } from '../evidence/record/record.js';
import type { RunFacts } from './judge-rows.js';
import type { Session } from './session.js';
import { thisSuite } from './suite-name.js';

/** What a run was made on. */
export const madeOn = { node: process.versions.node, platform: `${process.platform} ${process.arch}` };

/**
 * What a run tells of itself, so far.
 * @param ended why it does not reach its end, if another than the client and the limits know
 */
export function factsOfRun(session: Session, ended?: string): RunFacts {
  const { settings, client, parts } = session;
  const { target, seed, profile, command, strict } = settings;
  const { log, waitedMs } = client;
  const interrupted = session.options.signal.aborted ? new Interrupted().message : undefined;
  const { notes = [], day, stopped: early = day?.stopped } = parts.limits?.facts ?? {};
  const stopped = ended ?? interrupted ?? client.stopped?.message ?? early;
  return {
    format: 'petstore-conformance/1',
    suite: thisSuite,
    run: {
      id: session.id,
      startedAt: session.startedAt,
      finishedAt: new Date(settings.clock.now()).toISOString(),
      seed,
      profile,
      limits: settings.limits,
      complete: stopped === undefined,
      stopped,
      command,
      strict,
      environment: madeOn,
      options: optionsOf(session),
    },
    target: {
      name: target.name,
      baseUrl: target.baseUrl,
      plan: target.plan.name,
      perMinute: target.plan.perMinute,
      perDay: target.plan.perDay,
      planGiven: target.planGiven,
      readOnly: target.readOnly,
      localAddresses: target.localAddresses && [...target.localAddresses],
      keyMayBeWord: mayBeWord(target.apiKey) || undefined,
      clockDifferenceMs: log.clockDifference.milliseconds,
    },
    requests: { sent: log.sent, byOperation: { ...log.byOperation }, waitedMs, repeated: log.repeated },
    leftovers: session.store.pets.leftovers(session.store.marker),
    obstacle: session.obstacle?.sentence,
    notes: notes.length > 0 ? [...notes] : undefined,
  };
}

function optionsOf({
  settings,
  descriptionFile: file,
  options: { own },
}: Session): NonNullable<RunRecord['run']['options']> {
  const { only, except, description: source, target } = settings;
  const { consistencyMs, categoryId } = target;
  const sha256 = file?.text === undefined ? undefined : createHash('sha256').update(file.text).digest('hex');
  return {
    only: [...only],
    except: [...except],
    consistencyMs,
    categoryId: categoryId?.toString(),
    description: source === undefined ? undefined : { source, sha256, files: file && [file] },
    rules: own && { file: own.file, sha256: own.sha256, strict: settings.strictRules ?? false },
  };
}
