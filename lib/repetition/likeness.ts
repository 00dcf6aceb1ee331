import type { Exchange } from '../http/exchange/exchange.js';
import { nameSent } from '../session/known-pets.js';
import { petStatuses } from '../specification/body-schema.js';
import { seedFor } from '../draw/seeded.js';
import { escaped } from '../draw/json-spelling.js';
import type { RepeatedRequest } from '../record/repeated-request.js';

/** What begins a name that this suite made: its marker. */
const ownName = /pc[\da-z]{1,7}[ -]/g;
/** The rest of such a name, up to its number. */
const purposeAndNumber = /pc[\da-z]{1,7}[ -][\w -]*? \d+/g;
/** Values that a target has accepted: which, differs between runs. */
const plainCategory = /("categoryId"\s*:\s*)\d{1,10}\b/g;
const knownStatus = new RegExp(`("status"\\s*:\\s*)"(?:${petStatuses.join('|')})"`, 'g');
/** A number in the place of a name, which is that of no other animal. */
const numberAsName = /("name"\s*:\s*)(\d{8,})/g;
const identifier = /("id"\s*:\s*)-?\d+/g;
/** Of a name of some length, which is reached in whatever way. */
const longRepetition = /(.)\1{7,}/gsu;
/** A string that is all escapes. */
const escapedString = /"(?:\\u[\da-f]{4})+"/g;

/** The same for requests that differ only in the names, the identifiers and the marker of their run. */
export function likenessOf(exchange: Exchange): string {
  const { method, url, headers, body } = exchange.request;
  const path = url.slice(url.indexOf('/pets'));
  return likeness({
    method,
    path,
    authorization: headers.find(([name]) => name === 'Authorization')?.[1],
    headers,
    body,
  });
}

export function likeness({
  method,
  path,
  authorization = '',
  headers = [],
  body = '',
}: Pick<RepeatedRequest, 'method' | 'path' | 'authorization' | 'headers' | 'body'>): string {
  const [resource = '', query = ''] = path.split('?');
  const contentType = headers.find(([name]) => name === 'Content-Type')?.[1] ?? '';
  const sent = body
    .replaceAll(escapedString, (text) => JSON.stringify(JSON.parse(text)))
    .replaceAll(purposeAndNumber, 'pc')
    .replaceAll(plainCategory, '$1#')
    .replaceAll(knownStatus, '$1#')
    .replaceAll(identifier, '$1#')
    .replaceAll(numberAsName, '$1#')
    .replaceAll(longRepetition, '$1…');
  return JSON.stringify([method, resource.replaceAll(/\d+/g, '#'), query, authorization, contentType, sent]);
}

/** A body whose own names are those of no other animal of the run, and as long as before. */
export function renamed(body: string, marker: string): string {
  const rename = (text: string): string =>
    text.replaceAll(ownName, `${marker}-`).replaceAll(numberAsName, (_, before: string, name: string) => {
      const digits = String(seedFor(0, `${marker} ${name}`) >>> 0).padStart(name.length, '1');
      return before + digits.slice(-name.length).replace(/^0/, '1');
    });
  return rename(body).replaceAll(escapedString, (text) => escaped(rename(String(JSON.parse(text)))));
}

/** The identifier of the animal that an address names; empty if it names none. */
export function idInPath(address: string): string {
  return /\/pets\/(-?\d+)$/.exec(address)?.[1] ?? '';
}

/** Whether an animal of an earlier run was created again in this one, as it was. */
export function isSentAgain({ request }: Exchange): boolean {
  return /pc[\da-z]{1,7}-/.test(nameSent(request.body) ?? '');
}
