import { headerValues, type Exchange, brokenReason } from '../http/exchange/exchange.js';
import { Garbage } from '../http/body/garbage.js';
import { parseJson, type ParsedJson } from '../specification/json-value.js';

const parsed = new WeakMap<Exchange, ParsedJson>();
/** Long bodies take many times their length when they are parsed: only the last ones stay. */
const parsedLong: Array<{ readonly exchange: Exchange; readonly result: ParsedJson }> = [];
const longBody = 256 * 1024;
const longBodiesKept = 2;
/** Of each character of a long body, about so many bytes are left behind when it has been parsed and looked through. */
const leftOfEach = 5;
const garbage = new Garbage();

/** The JSON of an exchange's response body; a body that is missing, cut off or not UTF-8 is a problem like any other. */
export function jsonOf(exchange: Exchange): ParsedJson {
  const known = parsed.get(exchange) ?? parsedLong.find((one) => one.exchange === exchange)?.result;
  if (known) return known;
  const body = exchange.response?.body;
  const text = body?.text;
  const result: ParsedJson =
    text === undefined || body?.truncated
      ? { ok: false, problem: 'syntax', message: body?.base64 === undefined ? 'no body' : 'not UTF-8' }
      : parseJson(text);
  if ((text?.length ?? 0) < longBody) parsed.set(exchange, result);
  else {
    parsedLong.push({ exchange, result });
    if (parsedLong.length > longBodiesKept) parsedLong.shift();
    garbage.passed((text?.length ?? 0) * leftOfEach);
  }
  return result;
}

/** Characters of a body that a finding shows; the whole stands in the evidence. */
const shownOfBody = 160;

/** What came back, in a line: `200 [{"id":1,…` or `no answer: the connection was reset`. */
function describeResponse(exchange: Exchange): string {
  const { response, failure } = exchange;
  if (!response) return `no answer: ${failure?.message ?? 'nothing came'}`;
  const text =
    response.body.text ??
    (response.body.base64 === undefined ? '' : `${response.body.bytes} bytes that are not UTF-8`);
  const shown = text.length > shownOfBody ? `${text.slice(0, shownOfBody)}…` : text;
  const broken = failure ? ` (then ${failure.message})` : '';
  return `${response.status}${shown === '' ? ' without a body' : ` ${shown}`}${broken}`;
}

/** An exchange as a probe looks at it. */
export class ApiResponse {
  constructor(
    readonly exchange: Exchange,
    /** The body that was sent, where it was made from a value. */
    readonly sent?: unknown,
  ) {}

  get id(): string {
    return this.exchange.id;
  }

  /** Undefined where no response came. A response that broke off after its headers has one all the same. */
  get status(): number | undefined {
    return this.exchange.response?.status;
  }

  /** The parsed body; undefined where there is no JSON. */
  get json(): unknown {
    const result = jsonOf(this.exchange);
    return result.ok ? result.value : undefined;
  }

  get broken(): string | undefined {
    return brokenReason(this.exchange);
  }

  header(name: string): string | undefined {
    return headerValues(this.exchange, name)[0];
  }

  toString(): string {
    return describeResponse(this.exchange);
  }
}
