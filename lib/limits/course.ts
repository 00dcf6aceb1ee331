import { isNoConnection } from '../http/exchange/exchange.js';
import { refused, type Seen } from './seen.js';
import type { Query } from '../http/exchange/planned-request.js';
import { clockDifference, clockDifferenceOf } from './target-clock.js';
import type {
  CostProbe,
  CreationListing,
  LimitEvidence,
  Recovery,
  RefusedCreation,
  Restoration,
} from './evidence.js';
import { CourseEnded } from './course-ended.js';
import { KeySession } from './key-session.js';
import type { LimitRunOptions } from './limit-run.js';
import { viewOf, type View } from './told.js';
import type { UseKind, WindowUse } from './window-use.js';

/** The state of one plan's run: what it is made with, and what it has gathered for the judgements. */
export class Course {
  readonly session: KeySession;
  readonly windowMs: number;
  readonly uses: Partial<Record<UseKind, WindowUse>> = {};
  readonly recoveries: Recovery[] = [];
  readonly restorations: Restoration[] = [];
  readonly refusedCreations: RefusedCreation[] = [];
  readonly listings: CreationListing[] = [];
  readonly costs: CostProbe[] = [];
  control: LimitEvidence['control'];
  otherExhausted: Seen | undefined;
  otherControl: Seen | undefined;
  /** When the last of many requests was admitted: what a sliding window still holds. */
  lastHeavy = Number.NEGATIVE_INFINITY;

  constructor(readonly options: LimitRunOptions) {
    this.session = new KeySession(options);
    this.windowMs = options.windowMs ?? 60_000;
  }

  get now(): number {
    return this.options.clock.now();
  }

  /** The target's clock minus ours, in milliseconds, as far as it is known by now. */
  get ahead(): number {
    return clockDifference(clockDifferenceOf(this.session.history));
  }

  view(seen: Seen): View {
    return viewOf(seen.told, this.options.plan, this.windowMs);
  }

  /** When the minute's window ends by our clock, as an answer tells it; undefined where it tells nothing of the minute. */
  resetOf(seen: Seen): number | undefined {
    if (seen.told.reset === undefined || this.view(seen) !== 'minute') return undefined;
    return seen.told.reset.at - this.ahead;
  }

  tell(text: string): void {
    this.options.progress(`${this.options.plan.name}: ${text}`);
  }

  /** Waits until a moment of our clock, and says why. */
  async waitUntil(moment: number, why: string): Promise<void> {
    const wait = moment - this.now;
    if (wait <= 0) return;
    if (wait > 5 * this.windowMs) {
      throw new CourseEnded(`${why} would take ${Math.round(wait / 1000).toLocaleString('en')} s`);
    }
    this.tell(`${why}, ${Math.ceil(wait / 1000)} s`);
    await this.options.clock.sleep(wait, this.options.signal);
  }

  /**
   * A small listing. Where no answer comes it is asked again after a pause, and where the target is there and only
   * breaks the connection, after a whole window: it may do so in the place of a 429.
   * @throws CourseEnded where the target stays away, or refuses the key
   */
  async look(purpose: string, query?: Query): Promise<Seen> {
    const { clock, signal } = this.options;
    for (const pause of [1_000, 3_000, this.windowMs + 1_000]) {
      const seen = await this.#ask(purpose, query);
      if (seen.status !== null) return seen;
      const { failure } = seen.exchange;
      if (pause > 3_000 && (failure === undefined || isNoConnection(failure.kind))) break;
      this.tell('no answer came; asking again after a pause');
      await clock.sleep(pause, signal);
    }
    const last = await this.#ask(purpose, query);
    if (last.status !== null) return last;
    throw new CourseEnded(`the target was lost: ${last.exchange.failure?.message ?? 'no answer came'}`);
  }

  async #ask(purpose: string, query: Query | undefined): Promise<Seen> {
    const seen = await this.session.one(this.session.list(purpose, query));
    if (seen.status !== 401 && seen.status !== 403) return seen;
    throw new CourseEnded(`the target refuses the key with ${seen.status}`);
  }

  /** Everything sent with the key from a place of the history on. */
  since(place: number): readonly Seen[] {
    return this.session.history.slice(place);
  }

  lastRefusal(): Seen | undefined {
    return this.session.history.findLast(refused);
  }
}
