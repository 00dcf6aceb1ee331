import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ComponentChildren, JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { clip } from '../../lib/explain/clip.js';
import { packageFile } from '../../lib/run/suite-name.js';
import { type Outcome, outcomeTexts } from '../summary/outcomes.js';
import { count } from '../text.js';

const style = readFileSync(packageFile('reports/html/report.css'), 'utf8');

/** The only script: it shows the buttons beside commands, which copy them. Without it a page lacks nothing but these. */
export const copyScript = `
for (const button of document.querySelectorAll('.command > button')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    getSelection().selectAllChildren(button.previousElementSibling);
    button.textContent = document.execCommand('copy') ? 'Copied' : 'Selected';
  });
}
`;

const sourceOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The one style and the one script are known by their hashes, so that no data can bring another. */
const policy = `default-src 'none'; style-src ${sourceOf(style)}; script-src ${sourceOf(copyScript)}; base-uri 'none'; form-action 'none'`;

/** The text of a page that asks for nothing. */
export function pageOf(title: string, content: ComponentChildren): string {
  const document = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={policy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body>
        {content}
        <script dangerouslySetInnerHTML={{ __html: copyScript }} />
      </body>
    </html>
  );
  return `<!doctype html>\n${renderToString(document)}\n`;
}

/** The mark of an outcome, and its word: nothing is told by colour alone. */
export function OutcomeMark({ outcome }: { readonly outcome: Outcome }): JSX.Element {
  const { colour, mark, word } = outcomeTexts[outcome];
  return (
    <span class={`outcome ${colour}`}>
      <span aria-hidden="true">{mark}</span> <span>{word}</span>
    </span>
  );
}

interface FactsProperties {
  readonly facts: readonly (readonly [name: string, content: ComponentChildren])[];
}

export function Facts({ facts }: FactsProperties): JSX.Element {
  return (
    <dl>
      {facts.map(([name, content]) => (
        <div>
          <dt>{name}</dt>
          <dd>{content}</dd>
        </div>
      ))}
    </dl>
  );
}

interface TextProperties {
  readonly text: string;
}

/** Columns of a text: what a target sends may be of any length. */
export const longestText = 1_500;

/** A sentence of the suite, in which backquotes mark code. Whatever it quotes of the target is isolated. */
export function Prose({ text }: TextProperties): JSX.Element {
  const parts = clip(text, longestText)
    .split(/`([^`\n]+)`/)
    .map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part && <bdi>{part}</bdi>));
  return <>{parts}</>;
}

const longestCommand = 8_000;

/** A command with a button that copies it. A part of it would do something else: it is whole, or said to be too long. */
export function Command({ text }: TextProperties): JSX.Element {
  if (text.length > longestCommand)
    return <p class="note">A command of {count(text.length, 'character')} is in report.json.</p>;
  return (
    <div class="command">
      <pre>{text}</pre>
      <button type="button" hidden>
        Copy
      </button>
    </div>
  );
}
