import type { Exchange } from './exchange.js';

/** Single quotes keep every character as it is, except a single quote. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Characters of Latin-1 as bytes. */
function quotedBytes(text: string): string {
  const literal = text.replace(/[\\']/g, (one) => `\\${one}`);
  const bytes = literal.replace(
    /[^\x20-\x7e]/g,
    (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return `$'${bytes}'`;
}

/**
 * A curl command, for bash, that sends a recorded request again. The Authorization header is in double quotes, so that
 * the shell inserts the key; everything else is literal.
 */
export function curlOf(request: Exchange['request']): string {
  const parts = ['curl', '-i'];
  if (/[[\]{}]|\/\.\.?(\/|$)/.test(request.url)) parts.push('-g', '--path-as-is');
  if (request.method !== 'GET' && !(request.method === 'POST' && request.body !== undefined)) {
    parts.push('-X', request.method);
  }
  parts.push(quoted(request.url));
  for (const [name, value] of request.headers) {
    if (name.toLowerCase() === 'authorization') parts.push('-H', `"${name}: ${value}"`);
    else if (!automaticHeaders.has(name.toLowerCase())) parts.push('-H', quoted(`${name}: ${value}`));
  }
  if (request.body !== undefined) {
    // curl would add a type of its own.
    const typed = request.headers.some(([name]) => name.toLowerCase() === 'content-type');
    if (!typed) parts.push('-H', quoted('Content-Type:'));
    if (request.latin1) parts.push('--data-binary', quotedBytes(request.body));
    else parts.push('--data-raw', quoted(request.body));
  }
  return parts.join(' ');
}

/** They make no difference to the response. */
const automaticHeaders = new Set(['user-agent', 'accept', 'content-length', 'host']);
