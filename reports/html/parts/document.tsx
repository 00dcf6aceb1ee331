import { createHash } from 'node:crypto';
import type { ComponentChildren, JSX } from 'preact';
import { stylesheet } from '../stylesheet.js';

export interface DocumentProperties {
  readonly title: string;
  /** The page's only script; without one it has none. */
  readonly script?: string;
  readonly children: ComponentChildren;
}

const sourceOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const styleSource = sourceOf(stylesheet);

/**
 * A page that asks for nothing. The one style and the one script are known by their hashes, so that no data can bring
 * another.
 */
export function Document({ title, script, children }: DocumentProperties): JSX.Element {
  const scripts = script === undefined ? '' : `script-src ${sourceOf(script)}; `;
  const policy = `default-src 'none'; style-src ${styleSource}; ${scripts}base-uri 'none'; form-action 'none'`;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={policy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: stylesheet }} />
      </head>
      <body>
        {children}
        {script !== undefined && <script dangerouslySetInnerHTML={{ __html: script }} />}
      </body>
    </html>
  );
}
