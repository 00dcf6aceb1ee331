import { Evidence } from '../evidence/evidence.js';
import { BudgetSpent, Interrupted, RunStopped } from '../http/client/run-end.js';
import { mayBeWord, shortestKey } from '../evidence/redaction.js';
import type { RequirementResult } from '../record/record.js';
import { declaredRequirements, phases, type Declaration, type Phase } from '../verdict/requirement.js';
import { checkLoad, listLost } from '../session/load-check.js';
import { createsNothing } from '../session/store.js';
import { catalogue, type RequirementClass, type RequirementId } from '../specification/catalogue.js';
import type { Checks } from '../verdict/check.js';
import { judgeRule } from '../verdict/judge-rule.js';
import { notTestedResult } from '../verdict/judgement.js';
import { Inconclusive } from '../verdict/outcome.js';
import { requestMissingKinds } from './missing-exchanges.js';
import { findObstacle, type Obstacle } from './obstacle.js';
import { redacted } from './record/record-redaction.js';
import { cutOff, notReached } from '../record/cut-off.js';
import type { ResumedRun } from './record/resumed-run.js';
import { classesOf, noRoom, requirementClasses, select, type Selection } from './selection.js';
import { Session, type SessionOptions } from './session.js';
import type { Listener, Settings } from './settings.js';

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

/**
 * Judges the requirements of one run, each once, when it is requested. Whoever requests them keeps to the order of
 * `stages`.
 */
export class Engine {
  readonly session: Session;
  readonly selection: Selection;
  /** What a reader has to know of the run as a whole. */
  readonly notes: string[] = [];
  /** Why nothing could be judged. */
  obstacle: Obstacle | undefined;
  readonly #settings: Settings;
  readonly #signal: AbortSignal;
  readonly #listener: Listener;
  readonly #resumed: ResumedRun | undefined;
  readonly #finished = new Map<RequirementId, RequirementResult>();
  #ready: Promise<void> | undefined;
  /** Set when a probe was cut short by the budget. */
  #spent: string | undefined;
  /** What requirements of later phases send among the probes. */
  #sending: Promise<unknown> | undefined;
  /** Why the run did not get to its end, once the kinds of responses that were missing have been requested. */
  #complete: Promise<string | undefined> | undefined;
  /** What ended the probes of requirements that rules judge; undefined for one that got to its end. */
  readonly #ended = new Map<RequirementId, unknown>();
  readonly #unsent = new Set<RequirementId>();
  readonly #begun = new Set<RequirementId>();

  constructor(settings: Settings, options: SessionOptions) {
    const { signal, listener = {}, resumed } = options;
    this.#settings = settings;
    this.#signal = signal;
    this.#listener = listener;
    this.#resumed = resumed;
    this.selection = resumed
      ? select({ only: ['LIMIT-10'], except: [], classes: new Set(['limits']) })
      : select({ only: settings.only, except: settings.except, classes: classesOf(settings) });
    this.notes.push(...keyNotes(settings.target.apiKey));
    this.session = new Session(settings, { ...options, selected: this.selection.ids });
  }

  /** The classes that the run judges; a resumed run judges those of the interrupted one, too. */
  get classes(): readonly RequirementClass[] {
    const before = this.#resumed?.record.classes.map(({ id }) => id) ?? [];
    return requirementClasses.filter((id) => before.includes(id) || this.selection.classes.includes(id));
  }

  /** What there is to judge, phase after phase; requirements of one phase are judged at the same time. */
  get stages(): RequirementId[][] {
    const phaseOf = new Map<RequirementId, Phase>(declaredRequirements().map(({ id, phase }) => [id, phase]));
    const selected = catalogue.map(({ id }) => id).filter((id) => this.selection.ids.has(id));
    return phases.map((phase) => selected.filter((id) => (phaseOf.get(id) ?? 'every exchange') === phase));
  }

  /** Judges the requirements of a stage: all send at the same time, and the rules judge when all have been sent. */
  async judgeStage(ids: readonly RequirementId[]): Promise<RequirementResult[]> {
    await Promise.all(ids.map((id) => this.#send(id)));
    const evidence = this.#evidence;
    return ids.map((id) => this.#finish(id, evidence));
  }

  /** Asks the rules once more when nothing is sent any longer: they judge whatever was sent after their phase, too. */
  judgeAgain(): void {
    const evidence = this.#evidence;
    for (const id of this.#finished.keys())
      if (this.#ended.has(id)) this.#finished.set(id, this.#judge(declarationOf(id), evidence));
  }

  /** What has been recorded so far. */
  get #evidence(): Evidence {
    return new Evidence(this.session.client.log.exchanges, this.session.facts, this.session.parts);
  }

  #finish(id: RequirementId, evidence: Evidence): RequirementResult {
    const finished = this.#judge(declarationOf(id), evidence);
    this.#finished.set(id, finished);
    this.#listener.result?.(finished);
    return finished;
  }

  /** A result for every id of the catalogue; one that was never requested has `reason`. */
  results(reason: string = notReached): RequirementResult[] {
    return catalogue.map(({ id }) => {
      const finished = this.#finished.get(id);
      if (finished) return this.#withoutLostTarget(finished);
      const before = this.#resumed?.record.requirements.find((result) => result.id === id);
      if (before && !this.selection.ids.has(id)) return before;
      const left = this.selection.reasons.get(id);
      if (left !== undefined) return notTestedResult(id, left);
      if (reason === cutOff) return notTestedResult(id, reason, true);
      const interrupted = this.#signal.aborted || this.#begun.has(id);
      return notTestedResult(id, interrupted ? new Interrupted().message : reason, interrupted);
    });
  }

  async #prepare({ id, phase }: Declaration): Promise<void> {
    if (phase === 'description' || phase === 'all responses') return;
    await this.open().catch((error: unknown) => this.#unlessItsOwn(id, error));
    if (!this.obstacle) this.#sending ??= this.#sendEarly();
    if (phase !== 'probes') await this.#sending;
  }

  #endOf(error: unknown): unknown {
    if (error instanceof BudgetSpent) this.#spent = error.message;
    return this.#signal.aborted ? new Interrupted() : error;
  }

  /** Sends what the probe of a requirement sends; what ends it is kept for the verdict. */
  async #send(id: RequirementId): Promise<void> {
    this.#begun.add(id);
    const declaration = declarationOf(id);
    const own = declaration.inProfile(this.#settings.profile);
    if (typeof own === 'string') return;
    try {
      await this.#prepare(declaration);
    } catch (error) {
      // What another service, or a service without a valid key, responds says nothing of the target.
      if (this.obstacle) this.#unsent.add(id);
      this.#ended.set(id, this.#endOf(error));
      return;
    }
    if (this.obstacle) return void this.#ended.set(id, new Inconclusive(this.obstacle.sentence));
    try {
      await own.probe(this.session.probe(id));
      const stopped = declaration.phase === 'every exchange' ? await this.#completed() : undefined;
      // A pass of a run that did not get to its end would claim more than was seen.
      const early = `judged only on what was seen before the end: ${stopped}`;
      this.#ended.set(id, stopped === undefined ? undefined : new Inconclusive(early));
    } catch (error) {
      this.#ended.set(id, this.#endOf(error));
    }
  }

  #judge({ id, leavesTo, rule, kinds, inProfile }: Declaration, evidence: Evidence): RequirementResult {
    const { profile, target } = this.#settings;
    const own = inProfile(profile);
    if (typeof own === 'string') return notTestedResult(id, noRoom(profile, own));
    const checks = this.#unsent.has(id) ? (): Checks => [] : () => rule(evidence);
    const result = redacted(judgeRule({ id, leavesTo, checks }, this.#ended.get(id)), this.session.redact);
    const isReadOnly = target.readOnly && kinds.includes('creation');
    return isReadOnly && result.checks === 0 && !this.obstacle ? notTestedResult(id, createsNothing) : result;
  }

  async #completed(): Promise<string | undefined> {
    this.#complete ??= this.#requestMissingKinds().then(async (stopped) => {
      await this.session.client.settled();
      return stopped;
    });
    return this.#complete;
  }

  /** The requirement that an obstacle belongs to judges it. */
  #unlessItsOwn(id: RequirementId, error: unknown): void {
    if (this.obstacle?.id !== id) throw error;
  }

  /** What ends a preparation ends the probe that needs it, too. */
  async #sendEarly(): Promise<void> {
    await Promise.allSettled(
      this.#selected.map(async ({ id, inProfile }) => {
        const own = inProfile(this.#settings.profile);
        if (typeof own !== 'string') await own.early(this.session.probe(id));
      }),
    );
  }

  get #selected(): Declaration[] {
    return declaredRequirements().filter(({ id }) => this.selection.ids.has(id));
  }

  /** Sends the first requests: the target is there, and accepts the key. Said once, rather than by fifty probes. */
  async open(): Promise<void> {
    this.#ready ??= this.#survey();
    await this.#ready;
  }

  async #survey(): Promise<void> {
    const { store, client } = this.session;
    const first = await store.survey();
    if (first.exchange.response === undefined)
      throw client.stop(
        `the target did not respond to the first requests: ${first.exchange.failure?.message ?? ''}`,
      );
    this.obstacle = await findObstacle(store, this.#settings.target, first);
    if (this.obstacle) throw new Inconclusive(this.obstacle.reason, this.obstacle.id);
  }

  /** Returns why the run did not get to its end, if it did not. */
  async #requestMissingKinds(): Promise<string | undefined> {
    try {
      await this.open();
      await requestMissingKinds(this.session, new Set(this.#selected.flatMap(({ kinds }) => kinds)));
      if (this.selection.ids.has('ROBUST-01')) await checkLoad(this.session.client, this.session.store);
      await listLost(this.session.client, this.session.store);
      return this.#spent;
    } catch (error) {
      if (this.#signal.aborted) return new Interrupted().message;
      if (error instanceof RunStopped || error instanceof BudgetSpent) return error.message;
      if (error instanceof Inconclusive) return undefined;
      throw error;
    }
  }

  /**
   * Findings that rest on nothing but silence, in a run that lost its target, accuse what was no longer there: they are
   * taken back. A target that never responded, though it accepted connections, keeps them.
   */
  #withoutLostTarget(result: RequirementResult): RequirementResult {
    const { client } = this.session;
    if (!client.stopped || !client.reached || result.findings.length === 0) return result;
    const silent = new Set(client.lostSince.map(({ id }) => id));
    const findings = result.findings.filter(
      ({ exchanges }) => exchanges.length === 0 || !exchanges.every((id) => silent.has(id)),
    );
    if (findings.length > 0) return { ...result, findings };
    const reason = `the target was lost: ${client.stopped.message}`;
    return { ...result, findings, verdict: 'inconclusive', reason };
  }
}

function declarationOf(wanted: RequirementId): Declaration {
  const declaration = declaredRequirements().find(({ id }) => id === wanted);
  if (!declaration) throw new Error(`${wanted} is in the catalogue, and no suite declares it`);
  return declaration;
}
