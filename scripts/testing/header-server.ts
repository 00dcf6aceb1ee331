import { withHeader } from '../../lib/reference/http-message.js';
import { withBehaviour, withResponses } from '../../lib/reference/changes.js';
import { combineOptions, type ReferenceOptions } from '../../lib/reference/options.js';

const echoes = withResponses((response, { path, headers }) => {
  const credential = headers.authorization ?? 'none';
  const key = credential.split(' ').at(-1) ?? '';
  const spellings = {
    '': credential,
    '-Encoded': `https://debug.example/?authorization=${encodeURIComponent(key)}`,
    '-Base64': Buffer.from(key).toString('base64'),
    '-Basic': `Basic ${Buffer.from(`user:${key}`).toString('base64')}`,
    '-Upper': key.toUpperCase(),
    '-Html': key.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
  };
  const { content, status, ...rest } = Object.entries(spellings).reduce(
    (changed, [name, spelt]) => withHeader(changed, `X-Debug${name}`, spelt),
    response,
  );
  const debug = { credential, request: JSON.stringify({ path, headers: { authorization: credential } }) };
  const withDebug = (value: unknown): object => ({ ...Object(value), debug });
  const error = { code: `E${status}`, message: `refused ${credential}`, status };
  if (status >= 400) return { ...rest, status, content: withDebug(error) };
  if (content === undefined) return { ...rest, status };
  return { ...rest, status, content: Array.isArray(content) ? content.map(withDebug) : withDebug(content) };
});

/** Every second body escapes what needs no escape, as some writers of JSON do. */
const escapes = withBehaviour(({ write }) => {
  let written = 0;
  return {
    write(content) {
      written += 1;
      const text = write(content);
      return written % 2 === 0 ? text : text.replaceAll('/', '\\/').replaceAll('+', '\\u002b');
    },
  };
});

/**
 * A service that repeats the credential of every request: in headers, in animals, in errors, and spelt in as many ways
 * as a framework or a proxy before it might.
 */
export const echoing: ReferenceOptions = combineOptions(echoes, escapes);
