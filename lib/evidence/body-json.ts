import { parseJson, type ParsedJson } from '../specification/json-value.js';
import type { ExchangeResponse } from './recorded-exchange.js';

type Body = ExchangeResponse['body'];

/**
 * Long bodies take many times their length when they are parsed: only the last ones stay, and one that came again is not
 * parsed again.
 */
const lastLong = new Map<string, ParsedJson>();
const longBody = 256 * 1024;
const longBodiesKept = 2;

/** Whether the JSON of a body is too long to be kept with its exchange. */
export function isLong(body: Body | undefined): boolean {
  return (body?.text?.length ?? 0) >= longBody;
}

/** The JSON of a body; one that is missing, cut off or not UTF-8 is a problem like any other. */
export function jsonOf(body: Body | undefined): ParsedJson {
  const { text, base64, truncated } = body ?? {};
  if (text === undefined || truncated)
    return { ok: false, problem: 'syntax', message: base64 === undefined ? 'no body' : 'not UTF-8' };
  const json = lastLong.get(text) ?? parseJson(text);
  if (!isLong(body)) return json;
  lastLong.set(text, json);
  const [oldest] = lastLong.keys();
  if (lastLong.size > longBodiesKept && oldest !== undefined) lastLong.delete(oldest);
  return json;
}
