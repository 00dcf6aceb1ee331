import { requestFactsOf, type RequestFacts } from './request-facts.js';
import { curlOf } from './curl.js';
import { brokenReason, endedAt, headerValues, sentAt, type Exchange } from './recorded-exchange.js';
import { parseJson, type ParsedJson } from '../specification/json-value.js';
import { animalOf, animalsOf, type Animal } from './animal.js';

const parsed = new WeakMap<Exchange, ParsedJson>();
/**
 * Long bodies take many times their length when they are parsed: only the last ones stay, and one that came again is not
 * parsed again.
 */
const parsedLong: Array<{ readonly text: string; readonly result: ParsedJson }> = [];
const longBody = 256 * 1024;
const longBodiesKept = 2;

/** The JSON of an exchange's response body; a body that is missing, cut off or not UTF-8 is a problem like any other. */
export function jsonOf(exchange: Exchange): ParsedJson {
  const body = exchange.response?.body;
  const text = body?.text;
  const isLong = text !== undefined && text.length >= longBody && !body?.truncated;
  const known = isLong ? parsedLong.find((one) => one.text === text)?.result : parsed.get(exchange);
  if (known) return known;
  const result: ParsedJson =
    text === undefined || body?.truncated
      ? { ok: false, problem: 'syntax', message: body?.base64 === undefined ? 'no body' : 'not UTF-8' }
      : parseJson(text);
  if (isLong) {
    parsedLong.push({ text, result });
    if (parsedLong.length > longBodiesKept) parsedLong.shift();
  } else parsed.set(exchange, result);
  return result;
}

/** Characters of a body that a finding shows; the whole stands in the evidence. */
const shownOfBody = 160;

/** An exchange as it is judged. */
export class ApiResponse {
  constructor(
    readonly exchange: Exchange,
    /** The value that the request's body was made from, if there was one. */
    readonly sent?: unknown,
  ) {}

  get id(): string {
    return this.exchange.id;
  }

  /** What was sent, as the specification sees it. */
  get request(): RequestFacts {
    return requestFactsOf(this.exchange);
  }

  /** When the request was sent, and when the response was complete: milliseconds since the Unix epoch. */
  get sentAt(): number {
    return sentAt(this.exchange);
  }

  get endedAt(): number {
    return endedAt(this.exchange);
  }

  /** The name of the operation, for a sentence. */
  get operation(): string {
    return this.exchange.operation ?? `${this.exchange.request.method}, which is not listed,`;
  }

  /** Undefined if no response came. A response that broke off after its headers has one all the same. */
  get status(): number | undefined {
    return this.exchange.response?.status;
  }

  get parsed(): ParsedJson {
    return jsonOf(this.exchange);
  }

  /** The parsed body; undefined if it is not JSON. */
  get json(): unknown {
    return this.parsed.ok ? this.parsed.value : undefined;
  }

  /** The animal that the body shows, if it shows one. */
  get animal(): Animal | undefined {
    return animalOf(this.json);
  }

  /** The animals of a successful listing; undefined if the response is not one. */
  get animals(): readonly Animal[] | undefined {
    return this.status === 200 ? animalsOf(this.json) : undefined;
  }

  /** How many items the body has; undefined if it is not an array. */
  get length(): number | undefined {
    return Array.isArray(this.json) ? this.json.length : undefined;
  }

  /** How the target refused, in words, or that it failed; undefined if it did neither. */
  get refusal(): string | undefined {
    const { status } = this;
    if (status === undefined) return String(this);
    if (status >= 500) return `not served: ${status} is an error of the service`;
    return status >= 400 ? `refused with ${status}` : undefined;
  }

  /** What many implementers do not expect in the body that was sent, for a message; empty if there is nothing. */
  get unexpected(): string {
    const lone = /\\ud[89ab][\da-f]{2}(?!\\ud[c-f])/i.exec(this.exchange.request.body ?? '')?.[0];
    return lone === undefined
      ? ''
      : `: the name that was sent has the lone surrogate \`${lone}\`, as JSON allows`;
  }

  /** Why the network or a gateway may have kept the response back; undefined if it is complete. */
  get broken(): string | undefined {
    return brokenReason(this.exchange);
  }

  /** The query parameters of the request. */
  get query(): URLSearchParams {
    return new URL(this.exchange.request.url).searchParams;
  }

  /** The `petId` as it stands in the path. */
  get petId(): string {
    return new URL(this.exchange.request.url).pathname.split('/').at(-1) ?? '';
  }

  /** A shell command that sends the request again. */
  get curl(): string {
    return curlOf(this.exchange.request);
  }

  header(name: string): string | undefined {
    return this.headers(name)[0];
  }

  headers(name: string): string[] {
    return headerValues(this.exchange, name);
  }

  /** What came back, in a line: `200 [{"id":1,…` or `no response: the connection was reset`. */
  toString(): string {
    const { response, failure } = this.exchange;
    if (!response) return `no response: ${failure?.message ?? 'nothing came'}`;
    const {
      text = response.body.base64 === undefined ? '' : `${response.body.bytes} bytes that are not UTF-8`,
    } = response.body;
    const shown = text.length > shownOfBody ? `${text.slice(0, shownOfBody)}…` : text;
    const broken = failure ? ` (then ${failure.message})` : '';
    return `${response.status}${shown === '' ? ' without a body' : ` ${shown}`}${broken}`;
  }
}

/**
 * Whether a creation was accepted. Section 4.2 has 201 for it. Another success is a fault, but that one fault must not
 * keep everything else from being judged.
 */
export function isAccepted(status: number | null | undefined): boolean {
  return typeof status === 'number' && status >= 200 && status < 300;
}

/** The animal that a creation made; undefined if it was refused, or if the response shows none. */
export function createdAnimal(response: ApiResponse): Animal | undefined {
  return isAccepted(response.status) ? response.animal : undefined;
}

/** Whether an exchange is a creation that was accepted. */
export function isCreation({ operation, response }: Exchange): boolean {
  return operation === 'createPet' && isAccepted(response?.status);
}
