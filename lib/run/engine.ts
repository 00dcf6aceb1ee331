import { BudgetSpent, Interrupted, RunStopped } from '../http/client/run-end.js';
import { catalogue, type RequirementClass, type RequirementId } from '../specification/catalogue.js';
import { judgeExchanges } from '../requirement/invariants.js';
import { Inconclusive } from '../verdict/outcome.js';
import {
  declaredInvariants,
  declaredProbes,
  phases,
  type ProbeDeclaration,
  type Kind,
  type Phase,
} from '../requirement/requirement.js';
import { notTestedResult } from '../verdict/judgement.js';
import { Judgement } from '../verdict/judgement.js';
import { requestMissingKinds } from './missing-exchanges.js';
import { AccessLock } from './access-lock.js';
import type { RequirementResult } from '../record/record.js';
import { classesOf, select, type Selection } from './selection.js';
import { cutOff, type ResumedRun } from './resumed-run.js';
import { Session, type SessionOptions } from './session.js';
import { createsNothing } from '../session/store.js';
import type { Listener, Settings } from './settings.js';
import { redactedResult } from './record-redaction.js';

/** Requirements in the order in which they are judged: phase after phase, those of one phase at the same time. */
export interface Stage {
  readonly phase: Phase;
  readonly ids: readonly RequirementId[];
}

/**
 * Judges the requirements of one run, each once, when it is asked for. Whoever drives it (Vitest for the command line, a
 * plain loop for programs) keeps to the order of `stages`.
 */
export class Engine {
  readonly session: Session;
  readonly selection: Selection;
  readonly #settings: Settings;
  readonly #signal: AbortSignal;
  readonly #listener: Listener;
  readonly #resumed: ResumedRun | undefined;
  readonly #lock = new AccessLock();
  readonly #results = new Map<RequirementId, Promise<RequirementResult>>();
  readonly #finished = new Map<RequirementId, RequirementResult>();
  readonly #asked = new Set<RequirementId>();
  readonly #notes: string[] = [];
  #ready: Promise<void> | undefined;
  /** Set when a probe was cut short by the budget. */
  #spent: string | undefined;
  #whole: Promise<Map<RequirementId, RequirementResult>> | undefined;

  constructor(settings: Settings, { evidence, signal, listener = {}, resumed }: SessionOptions) {
    this.#settings = settings;
    this.#signal = signal;
    this.#listener = listener;
    this.#resumed = resumed;
    this.selection = resumed
      ? select({ only: ['LIMIT-10'], except: [], classes: new Set(['limits']) })
      : select({ only: settings.only, except: settings.except, classes: classesOf(settings) });
    const selected = this.selection.ids;
    this.session = new Session(settings, { evidence, signal, listener, resumed, selected });
  }

  /** The classes that the run judges; one that goes on with another judges that one's, too. */
  get classes(): readonly RequirementClass[] {
    const before = this.#resumed?.record.classes.map(({ id }) => id) ?? [];
    return (['functional', 'limits', 'description'] as const).filter(
      (id) => before.includes(id) || this.selection.classes.includes(id),
    );
  }

  /** What there is to judge, in order. */
  get stages(): Stage[] {
    const phaseOf = new Map<RequirementId, Phase>(declaredProbes().map(({ id, phase }) => [id, phase]));
    return phases.map((phase) => ({
      phase,
      ids: catalogue
        .map(({ id }) => id)
        .filter((id) => this.selection.ids.has(id) && (phaseOf.get(id) ?? 'every exchange') === phase),
    }));
  }

  /** What a reader has to know of the run as a whole. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  /** The row of a requirement. Never rejects: whatever happens is a verdict with its reason. */
  async judge(id: RequirementId): Promise<RequirementResult> {
    this.#asked.add(id);
    const known = this.#results.get(id);
    if (known) return known;
    const result = this.#result(id).then((judged) => {
      const finished = redactedResult(judged, this.session.redact);
      this.#finished.set(id, finished);
      this.#listener.result?.(finished);
      return finished;
    });
    this.#results.set(id, result);
    return result;
  }

  /** A row for every id of the catalogue; what was never asked for says so with `reason`. */
  results(reason = 'not selected (-t)'): RequirementResult[] {
    return catalogue.map(({ id }) => {
      const finished = this.#finished.get(id);
      if (finished) return this.#withoutLostTarget(finished);
      const before = this.#resumed?.record.requirements.find((result) => result.id === id);
      if (before && !this.selection.ids.has(id)) return before;
      const left = this.selection.reasons.get(id);
      if (left !== undefined) return notTestedResult(id, left);
      if (reason === cutOff) return notTestedResult(id, reason, true);
      const interrupted = this.#signal.aborted || this.#asked.has(id);
      return notTestedResult(id, interrupted ? new Interrupted().message : reason, interrupted);
    });
  }

  async close(): Promise<void> {
    await this.session.close();
  }

  async #result(id: RequirementId): Promise<RequirementResult> {
    const left = this.selection.reasons.get(id);
    if (left !== undefined) return notTestedResult(id, left);
    const declaration = declaredProbes().find((declared) => declared.id === id);
    if (declaration) return this.#probe(declaration);
    this.#whole ??= this.#judgeWhole();
    const result = (await this.#whole).get(id);
    if (!result) throw new Error(`${id} is in the catalogue, and no suite declares it`);
    return result;
  }

  async #probe(declaration: ProbeDeclaration): Promise<RequirementResult> {
    const { profile } = this.#settings;
    if (profile === 'quick' && declaration.notInQuick !== undefined) {
      return notTestedResult(
        declaration.id,
        `the quick profile has no room for it: ${declaration.notInQuick}`,
      );
    }
    const judgement = new Judgement(declaration.id, declaration.leavesTo);
    try {
      if (!declaration.withoutTarget) await this.#begin();
      const work = async (): Promise<RequirementResult | void> =>
        declaration.judge(this.session.probe(declaration, judgement));
      const result = await (declaration.exclusive ? this.#lock.exclusive(work) : this.#lock.shared(work));
      return result ?? judgement.result();
    } catch (error) {
      if (error instanceof BudgetSpent) this.#spent = error.message;
      return judgement.result(this.#signal.aborted ? new Interrupted() : error);
    }
  }

  /**
   * Sends the first request ahead of what needs it, so that its answer is there when the first requirement is asked for.
   * Never rejects: whoever needs the result gets it.
   */
  async open(): Promise<void> {
    await this.#begin().catch(() => undefined);
  }

  /** The first request: the target is there, and takes the key. Said once, rather than by fifty probes. */
  async #begin(): Promise<void> {
    this.#ready ??= this.#survey();
    await this.#ready;
  }

  async #survey(): Promise<void> {
    const { store, client } = this.session;
    const first = await store.survey();
    if (first.exchange.response === undefined) {
      throw client.stop(
        `the target gave no answer to the first requests: ${first.exchange.failure?.message ?? ''}`,
      );
    }
    if (first.status !== 401) return;
    const second = await store.api('survey').getPet(1);
    if (second.status !== 401) return;
    this.#notes.push(
      'The target refused the key on every operation asked: nothing that needs a valid key was judged.',
    );
    throw new Inconclusive('the target refused the key', 'AUTH-04');
  }

  async #judgeWhole(): Promise<Map<RequirementId, RequirementResult>> {
    const selected = declaredInvariants().filter(({ id }) => this.selection.ids.has(id));
    const stopped = await this.#requestMissingKinds(selected.flatMap(({ kinds }) => kinds));
    const results = await judgeExchanges(selected, this.session.client.log.exchanges, this.session.facts);
    if (this.#settings.target.readOnly) {
      for (const { id, kinds } of selected) {
        // What only a created animal shows is left out by who may not create.
        if (kinds.includes('creation') && results.get(id)?.checks === 0)
          results.set(id, notTestedResult(id, createsNothing));
      }
    }
    // A pass of a run that did not get to its end would claim more than was seen.
    if (stopped) {
      for (const { id } of selected) {
        const result = results.get(id);
        if (result && result.selected !== false && (result.verdict === 'pass' || result.checks === 0)) {
          results.set(id, {
            ...result,
            verdict: 'inconclusive',
            reason: `judged only on what was seen before the end: ${stopped}`,
          });
        }
      }
    }
    return results;
  }

  async #requestMissingKinds(kinds: readonly Kind[]): Promise<string | undefined> {
    try {
      await this.#begin();
      await requestMissingKinds(this.session, new Set(kinds));
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
   * taken back. A target that never gave an answer, though it took connections, keeps them.
   */
  #withoutLostTarget(result: RequirementResult): RequirementResult {
    const { client } = this.session;
    if (!client.stopped || !client.reached || result.findings.length === 0) return result;
    const silent = new Set(client.lostSince.map(({ id }) => id));
    const findings = result.findings.filter(
      ({ exchanges }) => exchanges.length === 0 || !exchanges.every((id) => silent.has(id)),
    );
    if (findings.length > 0) return { ...result, findings };
    return {
      ...result,
      findings,
      verdict: 'inconclusive',
      reason: `the target was lost: ${client.stopped.message}`,
    };
  }
}
