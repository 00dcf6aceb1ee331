/** What services do to text, by the phrase that a finding tells it in. */
const ofTexts: ReadonlyArray<readonly [phrase: string, alters: (sent: string, shown: string) => boolean]> = [
  ['HTML-escaped', (sent, shown) => unescaped(shown) === sent],
  ['JSON-escaped', (sent, shown) => JSON.stringify(sent).slice(1, -1) === shown],
  ['trimmed', (sent, shown) => sent.trim() === shown],
  ['with its spaces folded', (sent, shown) => sent.trim().replaceAll(/\s+/gu, ' ') === shown],
  ['read as Latin-1', (sent, shown) => Buffer.from(sent).toString('latin1') === shown],
  ['in another Unicode normal form', (sent, shown) => forms.some((form) => sent.normalize(form) === shown)],
  ['in lower case', (sent, shown) => sent.toLowerCase() === shown],
  ['in upper case', (sent, shown) => sent.toUpperCase() === shown],
  ['cut off', (sent, shown) => shown !== '' && sent.startsWith(shown)],
];

/** The same for integers. */
const ofIntegers: ReadonlyArray<readonly [phrase: string, alters: (sent: bigint, shown: bigint) => boolean]> =
  [
    // A double is written with as few digits as tell it from others: 9223372036854775807 as 9223372036854776000.
    ['rounded as a double', (sent, shown) => Number(sent) === Number(shown)],
    ['cut to its lower 32 bits', (sent, shown) => BigInt.asIntN(32, sent) === shown],
    ['cut to its lower 32 bits', (sent, shown) => BigInt.asUintN(32, sent) === shown],
  ];

const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'];

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text.replaceAll(/&(?:(amp|lt|gt|quot|apos)|#(\d+)|#x([\da-f]+));/giu, (whole, name, number, hex) => {
    if (typeof name === 'string') return entities[name.toLowerCase()] ?? whole;
    return String.fromCodePoint(Number(typeof hex === 'string' ? `0x${hex}` : number) % 0x11_00_00);
  });
}

/** What a service did to a value that it shows otherwise than it was sent: `HTML-escaped`; undefined if that can't be told. */
export function alterationOf(sent: unknown, shown: unknown): string | undefined {
  if (typeof sent === 'string' && typeof shown === 'string')
    return ofTexts.find(([, alters]) => alters(sent, shown))?.[0];
  const [from, to] = [integer(sent), integer(shown)];
  if (from === undefined || to === undefined) return undefined;
  return ofIntegers.find(([, alters]) => alters(from, to))?.[0];
}

function integer(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : undefined;
}
