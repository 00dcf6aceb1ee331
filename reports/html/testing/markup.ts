/** An element's opening tag as it stands in the document. */
export interface Tag {
  readonly name: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
}

const tag = /<(\/?)([a-z][a-z0-9]*)((?:\s+[^\s=>"]+(?:="[^"]*")?)*)\s*\/?>/gi;
const attribute = /\s+([^\s=>"]+)(?:="([^"]*)")?/g;

/** The tags of a document, and what is left when they are taken out: text without a single `<`, if all is escaped. */
export function markupOf(html: string): { readonly tags: readonly Tag[]; readonly text: string } {
  const tags: Tag[] = [];
  const text = html.replace(/^<!doctype html>/, '').replaceAll(tag, (_, closing, name, attributes) => {
    if (closing === '') {
      tags.push({
        name: String(name).toLowerCase(),
        attributes: [...String(attributes).matchAll(attribute)].map(
          ([, attributeName = '', value = '']) => [attributeName.toLowerCase(), value] as const,
        ),
      });
    }
    return '';
  });
  return { tags, text };
}

/** All values of an attribute in a document. */
export function valuesOf(tags: readonly Tag[], name: string): string[] {
  return tags.flatMap(({ attributes }) =>
    attributes.filter(([attributeName]) => attributeName === name).map(([, value]) => value),
  );
}
