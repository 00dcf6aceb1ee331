import { withHeader, type ServiceResponse, type ServiceRequest } from '../../lib/reference/http-message.js';
import { withBehaviour, withResponses } from '../../lib/reference/changes.js';
import { combineOptions, type ReferenceOptions } from '../../lib/reference/options.js';

const echoes = withResponses((answer, asked) => {
  const credential = asked.headers.authorization ?? 'none';
  const key = credential.split(' ').at(-1) ?? '';
  const told = spellingsOf(key).reduce(
    (changed, [name, spelt]) => withHeader(changed, `X-Debug-${name}`, spelt),
    withHeader(answer, 'X-Debug', credential),
  );
  return withEcho(told, asked, credential);
});

function spellingsOf(key: string): Array<readonly [name: string, spelt: string]> {
  return [
    ['Encoded', `https://debug.example/?authorization=${encodeURIComponent(key)}`],
    ['Base64', Buffer.from(key).toString('base64')],
    ['Basic', `Basic ${Buffer.from(`user:${key}`).toString('base64')}`],
    ['Upper', key.toUpperCase()],
    ['Html', key.replaceAll('&', '&amp;').replaceAll('<', '&lt;')],
  ];
}

function withEcho(answer: ServiceResponse, asked: ServiceRequest, credential: string): ServiceResponse {
  const { content, status } = answer;
  const debug = {
    credential,
    request: JSON.stringify({ path: asked.path, headers: { authorization: credential } }),
  };
  if (status >= 400)
    return { ...answer, content: { code: `E${status}`, message: `refused ${credential}`, status, debug } };
  if (Array.isArray(content))
    return { ...answer, content: content.map((one: unknown) => ({ ...Object(one), debug })) };
  return content === undefined ? answer : { ...answer, content: { ...Object(content), debug } };
}

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
