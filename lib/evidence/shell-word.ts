/** Text and bytes as words of a POSIX shell: bash, zsh and sh of Linux and macOS read them alike, also when pasted. */

const plain = /^[\x20-\x7e]*$/u;
/** Bytes of an argument that every system takes; what is longer goes through a pipe. */
const longestArgument = 100_000;
/** Fewer repetitions than this are written out. */
const fewestRepetitions = 100;

/** A text as one word. Other characters than those of ASCII are given by their bytes: a terminal or a pasteboard may change them. */
export function shellWord(text: string): string {
  return plain.test(text) ? quoted(text) : `"$(printf ${formatOf(Buffer.from(text))})"`;
}

/** Bytes as arguments of `printf`; undefined if they can be an argument as they are. */
export function shellPattern(bytes: Buffer): string | undefined {
  const text = bytes.toString('latin1');
  const isShort = bytes.length <= longestArgument && !repetition().test(text);
  return isShort && plain.test(text) ? undefined : formatOf(bytes);
}

/** Single quotes keep every character as it is, except a single quote. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** One to four bytes, many times. */
function repetition(): RegExp {
  return new RegExp(`([^]{1,4}?)\\1{${fewestRepetitions - 1},}`, 'gu');
}

/** A format of printf, with its arguments: bytes that are not printable in octal, long repetitions by their number. */
function formatOf(bytes: Buffer): string {
  const text = bytes.toString('latin1');
  const repeated: string[] = [];
  let format = '';
  let end = 0;
  for (const { 0: whole, 1: part = '', index } of text.matchAll(repetition())) {
    // A command's output loses the line feeds at its end, and null bytes.
    if (/[\n\0]/u.test(part)) continue;
    format += `${escaped(text.slice(end, index))}%s`;
    repeated.push(`"$(printf '${escaped(part)}%.0s' $(seq ${whole.length / part.length}))"`);
    end = index + whole.length;
  }
  return [`'${format}${escaped(text.slice(end))}'`, ...repeated].join(' ');
}

function escaped(text: string): string {
  return text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('%', '%%')
    .replaceAll('\n', String.raw`\n`)
    .replaceAll(/^-|['\x00-\x1f\x7f-\xff]/gu, (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`);
}
