import { evidenceIn, factsOf, type Evidence, type EvidenceFacts } from '../evidence/evidence.js';
import { cutOff, type RunRecord } from '../evidence/record/record.js';
import { OutputProblem } from '../evidence/record/run-files.js';
import { requirementIds, type RequirementId } from '../specification/catalogue.js';
import { Interrupted, RunStopped } from '../http/client/run-end.js';
import { failsClass } from '../verdict/class-verdict.js';
import { Inconclusive } from '../verdict/outcome.js';
import { declarationOf, phases, probesOf, type Phase } from '../verdict/requirement.js';
import { probeOf } from '../session/probe.js';
import { loadRules } from './own-rules.js';
import { findObstacle } from './obstacle.js';
import { recordOf, rowJudge, unreached } from './judge-rows.js';
import { redacted } from './record-redaction.js';
import { selectionOf } from './selection.js';
import { factsOfRun, withSession, type Session } from './session.js';
import type { Listener, Settings } from './settings.js';

/** Milliseconds between two records of a run that goes on. */
const recordsEvery = 2_000;

/**
 * Runs the suite against a target, and returns its record; writes the run's files if a directory is set.
 * @throws OutputProblem and RecordLost, as `withSession` does. Nothing that a target does makes it reject.
 */
export async function run(
  settings: Settings,
  options: { readonly signal?: AbortSignal; readonly listener?: Listener } = {},
): Promise<RunRecord> {
  const { signal = new AbortController().signal, listener = {} } = options;
  const { maxTime, bail = 0, rules, strictRules = false, resume, target } = settings;
  // What can't be counted on is refused before anything is sent.
  const resumed =
    resume === undefined ? [] : await (await import('./limits.js')).interruptedDay(resume, target);
  const own = rules === undefined ? undefined : await loadRules(rules);
  const selected = new Set([...selectionOf(settings).ids, ...(own?.ids ?? [])]);
  return withSession(settings, { signal, listener, selected, own, resumed }, async (session, files) => {
    const { client, parts, redact } = session;
    const ids = [...requirementIds, ...(own?.ids ?? [])];
    const ends: Ends = new Map();
    const probes = phasesOf(selected);
    const judgeNow = (facts = factsOfRun(session)) => {
      const endOf = (id: RequirementId): unknown => (ends.has(id) ? ends.get(id) : unreached(facts));
      return rowJudge(facts, evidenceOf(session, { ...factsOf(facts), redact }), endOf);
    };
    const recordNow = (stopped?: string): RunRecord => {
      const facts = factsOfRun(session, stopped);
      return redacted(recordOf(facts, ids.map(judgeNow(facts)), parts), redact);
    };
    let [failures, recorded] = [0, 0];
    /** Whenever the run is killed, there is a record of the probes that had ended. */
    const writing = setInterval(() => {
      if (ends.size === recorded) return;
      recorded = ends.size;
      try {
        files.writeRecord(recordNow(cutOff));
      } catch (error) {
        // The evidence will not be written either, and ends the run; or the disk has room again.
        if (!(error instanceof OutputProblem)) throw error;
      }
    }, recordsEvery);
    const timeSpent = `the time of ${(maxTime ?? 0) / 1_000} s (--max-time) is used up`;
    const timer = maxTime && setTimeout(() => client.stop(timeSpent), maxTime);
    try {
      files.writeRecord(recordNow(cutOff));
      for (const phase of phases) {
        const inPhase = [...probes].flatMap(([id, its]) => (its === phase ? id : []));
        if (inPhase.length === 0) continue;
        await Promise.all(
          inPhase.map(async (id) => {
            const sent = send(session, id, ends);
            ends.set(id, await sent.catch((error: unknown) => (signal.aborted ? new Interrupted() : error)));
          }),
        );
        await client.settled();
        for (const row of inPhase.filter((id) => selected.has(id)).map(judgeNow())) {
          listener.result?.(redacted(row, redact));
          if ((!row.own || strictRules) && failsClass(row, settings)) failures += 1;
        }
        if (bail > 0 && failures >= bail) break;
      }
      // Rules judge whatever was sent after their phase, too.
      return recordNow();
    } finally {
      clearInterval(writing);
      clearTimeout(timer);
    }
  });
}

/**
 * When each probe of a run is sent. What judges every exchange needs some of each kind, which other probes get: behind the
 * limits, which say most of a limiter that nothing else has used.
 */
function phasesOf(selected: ReadonlySet<RequirementId>): ReadonlyMap<RequirementId, Phase> {
  const declared = Array.from(selected, declarationOf);
  const others = declared.flatMap(({ kinds, phase }) =>
    kinds
      .flatMap((kind) => probesOf[kind])
      .map((id) => [id, phase === 'every exchange' ? 'whole run' : declarationOf(id).phase] as const),
  );
  return new Map([...others, ...declared.map(({ id, phase }) => [id, phase] as const)]);
}

/** What ended probes early, by their requirements; undefined for a probe that nothing ended. */
type Ends = Map<RequirementId, unknown>;

/** Sends what a requirement needs, and judges nothing. Returns what leaves open what was sent; undefined if nothing does. */
async function send(session: Session, id: RequirementId, ends: Ends): Promise<unknown> {
  const { phase, inProfile } = declarationOf(id);
  const own = inProfile(session.settings.profile);
  if (typeof own === 'string') return undefined;
  // A pass of a run that did not get to its end would claim more than was seen.
  const early = phase === 'every exchange' && [...ends.values()].find((end) => end instanceof RunStopped);
  if (early) return new Inconclusive(`judged only on what was seen before the end: ${early.message}`);
  const needsTarget = phase !== 'description' && phase !== 'all responses';
  // Said once, rather than by fifty probes.
  if (needsTarget) await session.store.once('obstacle', () => findObstacle(session));
  const { obstacle } = session;
  if (obstacle)
    return needsTarget && obstacle.id !== id
      ? new Inconclusive('nothing of this target can be judged', obstacle.id)
      : new Inconclusive(obstacle.sentence);
  const { client, store, redact } = session;
  const facts = { ...factsOf(factsOfRun(session)), redact };
  const ofRun = {
    client,
    store,
    facts,
    evidence: () => evidenceOf(session, facts),
    describedInterface: () => store.once('description', () => describeTarget(session)),
    limits: () => store.once('limits', () => measureLimits(session)),
  };
  await own(probeOf(id, ofRun));
  return undefined;
}

function evidenceOf({ client, parts, store }: Session, facts: EvidenceFacts): Evidence {
  return evidenceIn(client.log.exchanges, facts, parts, store.pets);
}

/** Imported when it is needed: what sends load takes long to import. */
async function measureLimits(session: Session): Promise<void> {
  const { probeLimits } = await import('./limits.js');
  session.parts.limits = await probeLimits(session);
}

/** Imported when it is needed: a compiler of schemas, and readers of YAML and of references. */
async function describeTarget(session: Session): Promise<void> {
  const [{ judgedDescription }, { readDescription }] = await Promise.all([
    import('../description/judged-description.js'),
    import('../description/read-description.js'),
  ]);
  const { target, description } = session.settings;
  if (description === undefined) return;
  session.descriptionFile = await readDescription(description, session.destination, target.apiKey);
  session.parts.description = judgedDescription(description, session.descriptionFile);
}
