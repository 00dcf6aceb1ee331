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
    '-Upper': key.toUpperCase(),
    '-Half': key.slice(0, key.length / 2),
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

/** Slashes are escaped, as some writers of JSON do. */
const escapes = withBehaviour(({ write }) => ({
  write: (content) => write(content).replaceAll('/', '\\/'),
}));

/** A service that repeats the credential of every request: in headers, in animals and in errors, whole and in part. */
export const echoing: ReferenceOptions = combineOptions(echoes, escapes);
