/** Text and bytes as words of a POSIX shell: bash, zsh and sh of Linux and macOS read them alike, also when pasted. */

const plain = /^[\x20-\x7e]*$/u;
/** Bytes of an argument that every system takes; what is longer goes through a pipe. */
const longestArgument = 100_000;

/** A text as one word. Other characters than those of ASCII are given by their bytes: a terminal or a pasteboard may change them. */
export function shellWord(text: string): string {
  // Single quotes keep every character as it is, except a single quote.
  if (plain.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`;
  return `"$(printf ${formatOf(Buffer.from(text))})"`;
}

/** Bytes as the argument of `printf`; undefined if they can be an argument as they are. */
export function shellPattern(bytes: Buffer): string | undefined {
  const isPlain = bytes.length <= longestArgument && plain.test(bytes.toString('latin1'));
  return isPlain ? undefined : formatOf(bytes);
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
