import { createHash } from 'node:crypto';
import { mayBeWord, shortestKey } from '../evidence/redaction.js';
import { leftoversOf } from '../evidence/leftovers.js';
import type { RunRecord } from '../evidence/record/record.js';
import type { RunFacts } from './record-of.js';
import type { Session } from './session.js';
import { thisSuite } from './suite-name.js';

/** What a run was made on. */
export const madeOn = { node: process.versions.node, platform: `${process.platform} ${process.arch}` };

/**
 * What a run tells of itself, so far.
 * @param ended why it does not reach its end, if another than the client and the limits know
 */
export function factsOfRun(session: Session, ended?: string): RunFacts {
  const { settings, client, limits } = session;
  const { target } = settings;
  const { log, waitedMs } = client;
  const stopped = ended ?? client.stopped?.message ?? limits?.stopped;
  const notes = [...keyNotes(target.apiKey), ...(limits?.notes ?? [])];
  const { seed, profile, command, strict } = settings;
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
    leftovers: leftoversOf(log.exchanges, session.names.marker),
    obstacle: session.obstacle?.sentence,
    notes: notes.length > 0 ? notes : undefined,
  };
}

/** What an auditor has to know of the key: it is in nothing that is written, as far as it can be told from other text. */
function keyNotes(key: string): string[] {
  if (key.length < shortestKey)
    return [
      `The key has ${key.length} characters: it is only removed if no letter or digit stands beside it.`,
    ];
  return mayBeWord(key)
    ? ['The key is a plain word or number: ERR-04 looks for it only behind the name of a scheme.']
    : [];
}

/** Characters of a description that a record holds. */
const longestDescription = 1_000_000;

function optionsOf({
  settings,
  descriptionFiles,
  own,
  redact,
}: Session): NonNullable<RunRecord['run']['options']> {
  const { only, except, maximumRequests, bail, description, target } = settings;
  const { consistencyMs, categoryId, optionNames } = target;
  const files = descriptionFiles.map(({ address, text, problem }) => ({
    address: redact(address),
    text: text && redact(text),
    problem: problem && redact(problem),
  }));
  const length = files.reduce((sum, { text = '' }) => sum + text.length, 0);
  const read = descriptionFiles[0]?.text;
  return {
    only: [...only],
    except: [...except],
    maximumRequests,
    bail,
    consistencyMs,
    categoryId: categoryId?.toString(),
    names: optionNames && { ...optionNames },
    description:
      description === undefined
        ? undefined
        : {
            source: redact(description),
            sha256: read === undefined ? undefined : createHash('sha256').update(read).digest('hex'),
            files: length <= longestDescription ? files : undefined,
          },
    resumed: settings.resume !== undefined,
    rules: own && { file: redact(own.file), sha256: own.sha256, strict: own.strict },
  };
}
