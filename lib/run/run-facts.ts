import { createHash } from 'node:crypto';
import { mayBeWord, shortestKey } from '../evidence/redaction.js';
import type { RunFacts } from './record-of.js';
import { thisSuite } from './suite-name.js';
import type { OwnRules } from './own-rules.js';
import type { Session } from './session.js';
import type { RunRecord } from '../evidence/record/record.js';
import type { Settings } from './settings.js';

/** What a run was made on. */
export const madeOn = { node: process.versions.node, platform: `${process.platform} ${process.arch}` };

/**
 * What the record of a run tells that no exchange shows.
 * @param ended why it does not reach its end, if another than the client and the limits know
 */
export function factsOfRun(settings: Settings, session: Session, ended?: string, rules?: OwnRules): RunFacts {
  const { target, strict, clock } = settings;
  const { id, startedAt, obstacle, client, limits } = session;
  const stopped = ended ?? client.stopped?.message ?? limits?.stopped;
  const notes = [...keyNotes(target.apiKey), ...(limits?.notes ?? [])];
  return {
    format: 'petstore-conformance/1',
    suite: thisSuite,
    run: {
      id,
      startedAt,
      finishedAt: new Date(clock.now()).toISOString(),
      seed: settings.seed,
      profile: settings.profile,
      limits: settings.limits,
      complete: stopped === undefined,
      ...(stopped === undefined ? {} : { stopped }),
      command: settings.command,
      strict,
      environment: madeOn,
      options: {
        ...optionsOf(settings, session),
        ...(rules && {
          rules: { file: session.redact(rules.file), sha256: rules.sha256, strict: rules.strict },
        }),
      },
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
    },
    ...(obstacle !== undefined && { obstacle }),
    ...(notes.length === 0 ? {} : { notes }),
  };
}

/** How the notes on the key begin, which are known of the key alone, and that of a run that was judged again. */
export const ofKey = 'The key ';
export const ofJudgingAgain = 'Judged by ';

/** What an auditor has to know of the key: it is in nothing that is written, as far as it can be told from other text. */
function keyNotes(key: string): string[] {
  if (key.length < shortestKey)
    return [
      `${ofKey}has ${key.length} characters: it is only removed if no letter or digit stands beside it.`,
    ];
  return mayBeWord(key)
    ? [`${ofKey}is a plain word or number: ERR-04 looks for it only behind the name of a scheme.`]
    : [];
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
    resume,
  }: Settings,
  { descriptionFiles, redact }: Session,
): NonNullable<RunRecord['run']['options']> {
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
        ...(length <= longestDescription && { files }),
      },
    }),
    resumed: resume !== undefined,
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
