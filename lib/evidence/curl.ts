import { firstValueOf } from '../http/headers/header-list.js';
import type { RecordedExchange } from './recorded-exchange.js';

/** Bytes from which on some versions of curl ask before they send a body. */
const smallBody = 1_000;
/** They make no difference to the response. */
const automaticHeaders: ReadonlySet<string> = new Set(['user-agent', 'content-length', 'host']);

/** A curl command that sends a recorded request again, byte for byte, in any POSIX shell, which inserts the key. */
export function curlOf(request: RecordedExchange['request']): string {
  const { method, url, headers, ca, cert, localAddress } = request;
  // Text that is no Unicode was sent with U+FFFD in its place.
  const body = Buffer.from(request.body ?? '', request.latin1 ? 'latin1' : 'utf8');
  const [, origin = '', target = ''] = /^(https?:\/\/[^/?#]*)(.*)$/isu.exec(url) ?? [];
  // What curl would refuse or change in an address is given apart.
  const isUsual = /^[\w!$%&'()*+,./:;=?@~-]*$/u.test(target) && !/\/(?:\.|%2e){1,2}(?:[/?]|$)/iu.test(target);
  // Some methods are sent with a Content-Length though they have no body (RFC 9110 8.6).
  const posts = body.length > 0 || ['POST', 'PUT', 'PATCH'].includes(method);
  const parts = ['curl', method === 'HEAD' ? '-I' : '-i'];
  if (firstValueOf(headers, 'Accept-Encoding') !== undefined) parts.push('--compressed');
  if (/^https:/iu.test(origin)) {
    parts.push('--http1.1');
    if (ca !== undefined) parts.push('--cacert', shellWord(ca));
    if (cert) parts.push('--cert', shellWord(cert[0]), '--key', shellWord(cert[1]));
  }
  if (localAddress !== undefined) parts.push('--interface', shellWord(localAddress));
  if (method !== 'HEAD' && method !== (posts ? 'POST' : 'GET'))
    parts.push('-X', /^\w+$/u.test(method) ? method : shellWord(method));
  if (isUsual) parts.push(shellWord(url));
  else parts.push('--request-target', shellWord(target), shellWord(`${origin}/`));
  parts.push(...headers.flatMap(headerWords));
  if (!posts) return parts.join(' ');
  // curl would add a type of its own.
  if (firstValueOf(headers, 'Content-Type') === undefined) parts.push('-H', "'Content-Type:'");
  if (body.length > smallBody) parts.push('-H', "'Expect:'");
  const isArgument = body.length <= longestArgument && plain.test(body.toString('latin1'));
  return isArgument
    ? [...parts, '--data-raw', shellWord(body.toString())].join(' ')
    : `printf ${formatOf(body)} | ${parts.join(' ')} --data-binary @-`;
}

function headerWords([name, value]: readonly [string, string]): string[] {
  if (automaticHeaders.has(name.toLowerCase())) return [];
  if (value === '') return ['-H', shellWord(`${name};`)];
  // In double quotes, so that the shell inserts the key.
  const isKey = name.toLowerCase() === 'authorization';
  return ['-H', isKey ? `"${name}: ${value}"` : shellWord(`${name}: ${value}`)];
}

/** Shell commands that send a request many times: one alone may show nothing. */
export const repeated = {
  /** One after the other, showing the head of each response. */
  inTurn: (curl: string, times: number): string => `for i in $(seq ${times}); do ${head(curl)}; done`,
  /** Each once, showing one header of each response. */
  eachShowing: (header: string, curls: readonly string[]): string =>
    `{ ${curls.map(head).join('; ')}; } | grep -i '^${header}:'`,
  /** All at the same time, each shown whole. */
  atOnce: (curl: string, times: number): string => `for i in $(seq ${times}); do ${curl} & done; wait`,
  /** One request, then another so many times: each identifier that two responses show. */
  sameIds: (first: string, curl: string, times: number): string =>
    `{ ${first}; for i in $(seq ${times}); do ${curl}; done; } | grep -oE '"id": *"?-?[0-9]+' | sort | uniq -d`,
  /** Each so many times by turns, one after the other, counting the statuses. */
  countedInTurn: (curls: readonly string[], times: number): string =>
    `{ for i in $(seq ${times}); do ${curls.map(repeated.status).join('; ')}; done; } | sort | uniq -c`,
  /** Each so many times, all at the same time over connections of their own, counting the statuses. */
  countedAtOnce: (curls: readonly string[], times: number): string =>
    `{ ${curls.map((curl) => `${parallel(curl, times)} &`).join(' ')} wait; } | sort | uniq -c`,
  /** One after the other up to a 429, whose head is kept in a variable; at most so many. */
  upToRejection: (curl: string, most: number): string =>
    `for i in $(seq ${most}); do head=$(${head(curl)}); case $head in *' 429'*) break;; esac; done`,
  /** Once, showing the head of the response. */
  head,
  /** Once, showing the status. */
  status: (curl: string): string => showing(String.raw`-w '%{http_code}\n'`, curl),
} as const;

function head(curl: string): string {
  return showing('-D -', curl);
}

function showing(what: string, curl: string): string {
  return curl.replace(/(^|\| )curl -i /u, `$1curl -sS -o /dev/null ${what} `);
}

/** One command that sends a request many times at once: what follows a # in an address is not sent. */
function parallel(curl: string, times: number): string {
  const many = repeated.status(curl).replace(/'(https?:[^'#]*)'/u, `'$1#[1-${times}]'`);
  // curl takes no more than 300.
  return many.replace('curl ', `curl -Z --parallel-immediate --parallel-max ${Math.min(times, 300)} `);
}

/** How hard a command is to read: the easiest has the valid key as it is, a body that nobody has to decode, and is short. */
export function effortOf(command: string | undefined): readonly number[] {
  if (command === undefined) return [Infinity];
  const sendsValidKey = /"Authorization: Bearer \$(?:\w+|\(cat [^|"]*\))"/u.test(command);
  return [Number(!sendsValidKey), Number(/\\(?:u[\da-f]{4}|\d{3})/iu.test(command)), command.length];
}

const plain = /^[\x20-\x7e]*$/u;
/** Bytes of an argument that every system takes; what is longer goes through a pipe. */
const longestArgument = 100_000;

/** A text as one word of any POSIX shell. What is not ASCII is given by its bytes: a terminal or a pasteboard may change it. */
export function shellWord(text: string): string {
  return plain.test(text)
    ? `'${text.replaceAll("'", `'\\''`)}'`
    : `"$(printf ${formatOf(Buffer.from(text))})"`;
}

/** A format of printf: bytes that are not printable in octal. */
function formatOf(bytes: Buffer): string {
  const format = bytes
    .toString('latin1')
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('%', '%%')
    .replaceAll('\n', String.raw`\n`)
    .replaceAll(/^-|['\x00-\x1f\x7f-\xff]/gu, (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`);
  return `'${format}'`;
}
