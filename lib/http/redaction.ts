/**
 * The key is written nowhere: not in evidence, reports, errors or on the terminal. Everything that was sent or came
 * back passes through here before it is kept; a target may well echo what it was sent.
 */
export type Redact = (text: string) => string;

/** Below this length a secret is too likely to be part of an innocent word to be replaced in free text. */
const shortestReplaceable = 4;

/**
 * A function that replaces each secret, its base64 (at each of the three alignments, as part of longer text) and its
 * URL-encoded form by what stands for it.
 */
export function redactionOf(secrets: ReadonlyArray<readonly [secret: string, display: string]>): Redact {
  const replacements = new Map<string, string>();
  const add = (text: string, display: string): void => {
    if (text.length >= shortestReplaceable && !replacements.has(text)) replacements.set(text, display);
  };
  for (const [secret, display] of secrets) {
    add(secret, display);
    add(encodeURIComponent(secret), display);
    add(JSON.stringify(secret).slice(1, -1), display);
    for (const encoded of base64Forms(secret)) add(encoded, `[base64 of ${display}]`);
  }
  // Longest first: a near miss may contain the key, and the key a shortened one.
  const texts = [...replacements.keys()].sort((a, b) => b.length - a.length);
  if (texts.length === 0) return (text) => text;
  const pattern = new RegExp(texts.map(escapeForPattern).join('|'), 'g');
  return (text) => text.replace(pattern, (match) => replacements.get(match) ?? match);
}

/** The characters of a secret's base64 that do not depend on what stands before or behind it, at each alignment. */
function base64Forms(secret: string): string[] {
  const whole = Buffer.from(secret, 'utf8').toString('base64').replace(/=+$/, '');
  const forms = [whole];
  for (const offset of [0, 1, 2]) {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret, 'utf8')]);
    const wholeGroups = Math.floor(bytes.length / 3) * 3;
    const core = bytes.subarray(0, wholeGroups).toString('base64').slice(offset === 0 ? 0 : 4);
    // Shorter runs would match by chance.
    if (core.length >= 8) forms.push(core);
  }
  return [...forms, ...forms.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))];
}

function escapeForPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
