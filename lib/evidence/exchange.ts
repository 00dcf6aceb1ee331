import { parseTimestamp } from '../http/clock/clock.js';
import { valuesOf } from '../http/headers/header-list.js';
import { parseRateHeaders, type RateHeaders } from '../http/headers/rate-headers.js';
import { parseJson, type ParsedJson } from '../specification/json-value.js';
import { animalOf, type Animal } from './animal.js';
import { curlOf } from './curl.js';
import { gatewayStatuses, type RecordedExchange } from './recorded-exchange.js';
import { readRequest } from './request-facts.js';

/** Characters of a body that a finding shows; the whole stands in the evidence. */
const shownOfBody = 160;
/** Animals that are read of one listing, which may hold 100 (section 4.1). */
const mostAnimals = 2_000;
/** Characters from which on a parsed body, which takes many times its length, does not stay with its exchange. */
const longBody = 256 * 1024;

class OfLine {
  constructor(readonly line: RecordedExchange) {}
}

/**
 * One request and what came of it, as every judgement sees it: made when the exchange is complete, or when a file is read.
 * What a response holds is read when it is asked for. Times are milliseconds since the Unix epoch by our clock.
 */
export class Exchange extends OfLine {
  // Each field is declared: so many that are assigned in a loop become a dictionary, which is slow to read.
  readonly id = this.line.id;
  readonly purpose = this.line.purpose;
  readonly operation = this.line.operation;
  readonly credential = this.line.credential;
  readonly credentialText = this.line.credentialText;
  readonly caller = this.line.caller;
  readonly phase = this.line.phase;
  readonly request = this.line.request;
  readonly response = this.line.response;
  readonly failure = this.line.failure;
  readonly timing = this.line.timing;
  readonly connection = this.line.connection;
  readonly repeats = this.line.repeats;

  readonly #facts = readRequest(this.line);
  readonly operationName = this.#facts.operationName;
  readonly faults = this.#facts.faults;
  readonly unspecified = this.#facts.unspecified;
  readonly unusual = this.#facts.unusual;
  readonly isSpecified = this.#facts.isSpecified;
  readonly members = this.#facts.members;
  readonly nameSent = this.#facts.nameSent;
  readonly query = this.#facts.query;
  readonly limit = this.#facts.limit;
  readonly filter = this.#facts.filter;
  readonly petId = this.#facts.petId;

  readonly sentAt = parseTimestamp(this.line.sentAt);
  /** When the head of the response had come, or the failure was seen. */
  readonly receivedAt = this.sentAt + (this.timing.firstByte ?? this.timing.total);
  /** When the response was complete, or the failure was seen. */
  readonly endedAt = this.sentAt + this.timing.total;
  /** Undefined if no response came. A response that broke off after its headers has one all the same. */
  readonly status = this.response?.status;
  /** Whether it is judged. What the client ended, or this machine could not send, says nothing of the target. */
  readonly isEvidence = !isOfOurs(this.line);

  #json: ParsedJson | undefined;
  #rate: RateHeaders | undefined;
  #animals: readonly Animal[] | undefined;

  /** Why the network or a gateway may have kept the response back; undefined if it is complete. */
  get broken(): string | undefined {
    const { failure, status = 0 } = this;
    if (!failure) return gatewayStatuses.has(status) ? `a gateway responded with ${status}` : undefined;
    return isOfOurs(this.line) || failure.kind === 'too-large' ? undefined : failure.message;
  }

  get curl(): string {
    return curlOf(this.request);
  }

  /** The values of a response header, by its name in any case, in the order received. */
  headers(name: string): readonly string[] {
    return valuesOf(this.response?.headers ?? [], name);
  }

  header(name: string): string | undefined {
    return this.headers(name)[0];
  }

  /** What the headers of section 8 say. */
  get rate(): RateHeaders {
    return (this.#rate ??= parseRateHeaders(this.response?.headers ?? []));
  }

  /** The JSON of the body; one that is missing, cut off or not UTF-8 is a problem like any other. */
  get parsed(): ParsedJson {
    const { text, base64, truncated } = this.response?.body ?? {};
    if (text === undefined || truncated)
      return { ok: false, problem: 'syntax', message: base64 === undefined ? 'no body' : 'not UTF-8' };
    return text.length < longBody ? (this.#json ??= parseJson(text)) : parseJson(text);
  }

  /** The parsed body; undefined if it is not JSON. */
  get json(): unknown {
    const { parsed } = this;
    return parsed.ok ? parsed.value : undefined;
  }

  /** How many items the body has; undefined if it is not an array. */
  get length(): number | undefined {
    const { json } = this;
    return Array.isArray(json) ? json.length : undefined;
  }

  get animal(): Animal | undefined {
    return animalOf(this.json);
  }

  /** The animal that a creation made; undefined if it was refused, or if the response shows none. */
  get created(): Animal | undefined {
    return isAccepted(this.status) ? this.animal : undefined;
  }

  /** The animals of a successful listing, without those that have no identifier; undefined if the response is not one. */
  get animals(): readonly Animal[] | undefined {
    if (this.#animals) return this.#animals;
    const items = this.status === 200 ? this.json : undefined;
    if (!Array.isArray(items)) return undefined;
    const animals = items.slice(0, mostAnimals).flatMap((one) => animalOf(one) ?? []);
    // Many judgements read the same listing.
    if (this.#json) this.#animals = animals;
    return animals;
  }

  /** How the target refused, in words, or that it failed; undefined if it did neither. */
  get refusal(): string | undefined {
    const { status } = this;
    if (status === undefined) return String(this);
    if (status >= 500) return `not served: ${status} is an error of the service`;
    return status >= 400 ? `refused with ${status}` : undefined;
  }

  /** What came back, in a line: `200 [{"id":1,…` or `no response: the connection was reset`. */
  override toString(): string {
    const { response, failure } = this;
    if (!response) return `no response: ${failure?.message ?? 'nothing came'}`;
    const { base64, bytes } = response.body;
    const { text = base64 === undefined ? '' : `${bytes} bytes that are not UTF-8` } = response.body;
    const shown = text.length > shownOfBody ? `${text.slice(0, shownOfBody)}…` : text;
    const broken = failure ? ` (then ${failure.message})` : '';
    return `${response.status}${shown === '' ? ' without a body' : ` ${shown}`}${broken}`;
  }
}

function isOfOurs({ failure }: RecordedExchange): boolean {
  return failure?.kind === 'aborted' || failure?.kind === 'exhausted';
}

/** Whether a creation was accepted: another success than 201 is a fault that must not keep the rest from being judged. */
export function isAccepted(status: number | null | undefined): boolean {
  return typeof status === 'number' && status >= 200 && status < 300;
}
