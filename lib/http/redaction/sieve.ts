/** Characters of a secret that are looked for first: few texts hold so many of one by chance. */
const pieceLength = 8;

/**
 * Says at little cost of most texts that none of these is in them, in any case and in either alphabet of base64: what
 * looks for them exactly takes ten times as long, and passes over every text that is sent or comes back.
 */
export function sieveFor(sought: readonly string[]): (text: string) => boolean {
  const pieces: string[] = [];
  // What a short one is found by, finds the longer ones that contain it.
  for (const text of sought.map(normalised).sort((a, b) => a.length - b.length)) {
    // Beyond ASCII a pattern's cases are not those of a text.
    if (!/^[\0-\x7f]*$/.test(text)) return () => true;
    if (pieces.some((piece) => text.includes(piece))) continue;
    // Where it can be had, one that is written alike in both alphabets.
    const alike = text.split(/[+/]/).find(({ length }) => length >= pieceLength);
    pieces.push(middleOf(alike ?? text));
  }
  const shortest = Math.min(...sought.map(({ length }) => length));
  const inBothAlphabets = pieces.some((piece) => /[+/]/.test(piece));
  return (text) => {
    if (text.length < shortest) return false;
    const whole = inBothAlphabets ? normalised(text) : text.toLowerCase();
    return pieces.some((piece) => whole.includes(piece));
  };
}

function middleOf(text: string): string {
  const from = Math.max(0, Math.floor((text.length - pieceLength) / 2));
  return text.slice(from, from + pieceLength);
}

/** A text in lower case, and in the one alphabet of base64 (RFC 4648 4) where it may be written in either. */
export function normalised(text: string): string {
  return text.toLowerCase().replaceAll('-', '+').replaceAll('_', '/');
}
