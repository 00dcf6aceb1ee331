import type { Finding, Observation } from '../record/record.js';
import type { RequirementId } from '../specification/catalogue.js';
import { bodyProblems } from '../specification/body-problems.js';
import type { BodyKind } from '../specification/body-schema.js';
import type { ApiResponse } from './api-response.js';
import { contrasted } from './contrast.js';

/** What a probe has to say about a claim that did not hold. */
export interface Claim {
  readonly message: string;
  readonly expected?: string;
  readonly received?: string;
  readonly pointer?: string;
  /** What shows it again in a shell, where the last answer's request alone does not. */
  readonly reproduce?: string | undefined;
}

/**
 * One requirement being judged: counts what was compared, and keeps what was found, what could not be judged and what
 * a reader has to know. Nothing here throws for what a target answers.
 */
export class Judgement {
  readonly findings: Finding[] = [];
  readonly observations: Observation[] = [];
  readonly notes: string[] = [];
  readonly #open: string[] = [];
  #checks = 0;

  constructor(readonly id: RequirementId) {}

  get checks(): number {
    return this.#checks;
  }

  /** What could not be judged, and why; empty where everything was. */
  get open(): readonly string[] {
    return this.#open;
  }

  /** Counts a comparison; where it did not hold, the claim becomes a finding shown by `answers`. Returns `holds`. */
  check(holds: boolean, claim: Claim, ...responses: readonly ApiResponse[]): boolean {
    this.#checks += 1;
    if (!holds) this.#find(claim, responses);
    return holds;
  }

  /** Takes over what was compared elsewhere, with what was found there. */
  compared(checks: number, findings: readonly Finding[]): void {
    this.#checks += checks;
    this.findings.push(...findings);
  }

  #find(claim: Claim, responses: readonly ApiResponse[]): void {
    const last = claim.reproduce ?? responses.at(-1)?.exchange.curl;
    const { expected, received } = claim;
    const both = expected !== undefined && received !== undefined;
    const [wanted, came] = both ? contrasted(expected, received) : [expected, received];
    this.findings.push({
      message: claim.message,
      ...(wanted === undefined ? {} : { expected: wanted }),
      ...(came === undefined ? {} : { received: came }),
      ...(claim.pointer === undefined ? {} : { pointer: claim.pointer }),
      exchanges: responses.map((response) => response.id),
      ...(last === undefined ? {} : { reproduce: last }),
    });
  }

  /** A part of the requirement that the answers allow no judgement of. */
  leaveOpen(reason: string): void {
    if (!this.#open.includes(reason)) this.#open.push(reason);
  }

  note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }

  observe(subject: string, behaviour: string, ...responses: readonly ApiResponse[]): void {
    this.#checks += 1;
    this.observations.push({ subject, behaviour, exchanges: responses.map((response) => response.id) });
  }

  /**
   * The status is the one that the specification gives for what was sent. A 401 to the valid key is AUTH-04's alone, and
   * that no whole answer came, when asked for again too, ROBUST-01's: here they leave the claim unjudged. An answer that
   * is too long to be read has its status all the same.
   */
  status(response: ApiResponse, expected: number | readonly number[], what: string): boolean {
    const statuses = typeof expected === 'number' ? [expected] : expected;
    if (response.status === 401 && response.exchange.credential === 'valid' && !statuses.includes(401)) {
      this.leaveOpen('the valid key was refused with 401 (see AUTH-04)');
      return false;
    }
    if (response.broken !== undefined || response.status === undefined) {
      this.leaveOpen(
        `${what}: no whole answer came, ${response.exchange.failure?.message ?? response.broken ?? ''} (see ROBUST-01)`,
      );
      return false;
    }
    const holds = statuses.includes(response.status);
    const wanted = statuses.join(' or ');
    return this.check(
      holds,
      { message: `${what}: expected ${wanted}`, expected: wanted, received: String(response) },
      response,
    );
  }

  /** The answer was read to its end. One that was not is ROBUST-01's, and leaves a claim on its body unjudged. */
  whole({ exchange }: ApiResponse, what: string): boolean {
    if (exchange.failure === undefined) return true;
    this.leaveOpen(
      `${what}: the answer was not read to its end, ${exchange.failure.message} (see ROBUST-01)`,
    );
    return false;
  }

  /** The answer is a refusal with this status. */
  refusal(response: ApiResponse, status: number, what: string): boolean {
    return this.status(response, status, what);
  }

  /** The body is as section 2 specifies it; the first problem of one that is not is the finding. */
  body(kind: BodyKind, response: ApiResponse, what: string): boolean {
    this.#checks += 1;
    const [first] = bodyProblems(kind, response.json);
    if (!first) return true;
    this.#find(
      {
        message: `${what}: the body is no ${kind === 'Pets' ? 'array of Pet' : kind}`,
        expected: `${first.property === '' ? 'the body' : `\`${first.property}\``}: ${first.expected}`,
        received: response.json === undefined ? String(response) : first.received,
        pointer: first.pointer,
      },
      [response],
    );
    return false;
  }
}
