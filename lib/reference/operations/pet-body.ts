import { LosslessNumber, parse } from 'lossless-json';
import { isPetStatus, petStatuses, type NewPet } from './animal.js';
import type { ServiceRequest } from '../http-message.js';
import { isInt64 } from './integers.js';
import { Refusal } from './refused-request.js';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof LosslessNumber)
  );
}

/**
 * The text of a request's body (section 4: `application/json`, so UTF-8 by RFC 8259 section 8.1).
 * @throws {Refusal} if there is no body, or it has a different media type, or it is not UTF-8.
 */
export function readBodyText(request: ServiceRequest): string {
  if (request.tooLarge) throw new Refusal('too-large', 'The request body is too large.');
  if (request.body.byteLength === 0) throw new Refusal('invalid-body', 'A request body is required.', 'body');
  const type = request.headers['content-type'];
  // A request without Content-Type is taken for JSON, the only thing that the service reads (RFC 9110 section 8.3).
  if (type !== undefined && !/^\s*application\/json\s*(?:;|$)/i.test(type)) {
    throw new Refusal('unsupported-media', 'The request body has to be application/json.', 'content-type');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(request.body);
  } catch {
    throw new Refusal('invalid-body', 'The request body is not encoded in UTF-8.', 'body');
  }
}

/**
 * A JSON text, its integers as bigint so that not a digit is lost; other numbers stay LosslessNumber.
 * @throws {Refusal} if the text is not JSON, gives one key two values, or nests too deep to read.
 */
export function parseJson(text: string): unknown {
  try {
    return parse(text, null, (digits) =>
      /^-?\d+$/.test(digits) ? BigInt(digits) : new LosslessNumber(digits),
    );
  } catch {
    throw new Refusal('invalid-body', 'The request body is not valid JSON.', 'body');
  }
}

export function checkName(value: unknown): string {
  if (value === undefined) throw new Refusal('invalid-body', 'The field "name" is required.', 'name');
  if (typeof value !== 'string')
    throw new Refusal('invalid-body', 'The field "name" has to be a string.', 'name');
  return value;
}

export function checkCategoryId(value: unknown): bigint {
  if (value === undefined)
    throw new Refusal('invalid-body', 'The field "categoryId" is required.', 'categoryId');
  if (typeof value !== 'bigint' || !isInt64(value)) {
    throw new Refusal('invalid-body', 'The field "categoryId" has to be a 64-bit integer.', 'categoryId');
  }
  return value;
}

export function checkStatus(value: unknown): NewPet['status'] {
  if (value === undefined) return undefined;
  if (!isPetStatus(value)) {
    const message = `The field "status" has to be one of ${petStatuses.join(', ')}.`;
    throw new Refusal('invalid-body', message, 'status');
  }
  return value;
}
