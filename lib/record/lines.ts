const lineFeed = 0x0a;

/**
 * The lines of a UTF-8 stream of bytes, without their line feeds; a last line without one counts too. Node's own
 * `readline` also breaks at U+2028, which JSON leaves bare inside strings.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let open: Buffer[] = [];
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
      open.push(bytes.subarray(start, end));
      yield Buffer.concat(open).toString('utf8');
      open = [];
      start = end + 1;
    }
    if (start < bytes.length) open.push(bytes.subarray(start));
  }
  if (open.length > 0) yield Buffer.concat(open).toString('utf8');
}
