import { catalogue } from '../specification/catalogue.js';
import type { Page } from './page.js';

/** A page as Markdown, which a terminal shows as well as a browser. */
export function pageText(page: Page): string {
  const { id, level, section, title, specification, rfc, judged, conforming, failing, bugs, fix } = page;
  const where = /^\d/.test(section) ? `section ${section} of the specification` : section;
  return blocks([
    `# ${id}: ${title}`,
    [level, ...(where === '' ? [] : [where]), `class ${page.class}`].join(' · '),
    '## What the specification says',
    ...specification.map((clause) => quoted(`**${clause.clause} ${clause.title}**\n\n${clause.text}`)),
    ...(rfc === undefined ? [] : [`${section}:`, quoted(rfc)]),
    '## How it is judged',
    sentence(judged),
    ...(bugs.length === 0 ? [] : ['## Usual bugs', bugs.map((bug) => `- ${bug}.`).join('\n')]),
    level === 'OBSERVE' ? '## What to make of it' : '## How to fix it',
    fix,
    ...(conforming === undefined ? [] : ['## A conforming exchange', fenced('http', conforming)]),
    ...(failing === undefined ? [] : failingBlocks(failing)),
  ]);
}

function failingBlocks({ fault, finding, exchange }: NonNullable<Page['failing']>): string[] {
  const { message, expected, received, reproduce } = finding;
  return [
    '## A failing exchange',
    `A service with this bug: ${fault}.`,
    ...(exchange === undefined ? [] : [fenced('http', exchange)]),
    'The finding:',
    fenced(
      'text',
      [
        message,
        ...(expected === undefined ? [] : [`expected: ${expected}`]),
        ...(received === undefined ? [] : [`received: ${received}`]),
        ...(reproduce === undefined ? [] : [reproduce]),
      ].join('\n'),
    ),
  ];
}

/** The table of contents of all pages. */
export function indexText(pages: readonly Page[]): string {
  const groups = [...new Set(pages.map(({ id }) => groupOf(id)))];
  return blocks([
    '# The requirements',
    `What the suite judges, a page for each of the ${catalogue.length} requirements. \`npx petstore-conformance explain ID\` prints the same page. The [specification](../specification.md) is their source.`,
    ...groups.map((group) =>
      pages
        .filter(({ id }) => groupOf(id) === group)
        .map(({ id, level, title }) => `- [${id}](${id}.md) ${level}: ${title}`)
        .join('\n'),
    ),
  ]);
}

function groupOf(id: string): string {
  return id.slice(0, id.indexOf('-'));
}

function blocks(texts: readonly string[]): string {
  return `${texts.join('\n\n')}\n`;
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

function sentence(text: string): string {
  const begun = /^[a-z]\w* /.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
