/** A catalogue's section as people cite it: `§ 5.3, 7` for the specification, an RFC by its own name. */
export function sectionReference(section: string): string {
  return /^\d/.test(section) ? `§ ${section}` : section;
}
