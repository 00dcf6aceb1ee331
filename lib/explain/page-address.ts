import { suiteVersion } from '../run/suite-name.js';
import type { RequirementId } from '../specification/catalogue.js';

/** As in `package.json`. */
const repository = 'https://github.com/petstore-conformance/petstore-conformance';

/** Where the page of a requirement is, as this version has it. */
export function pageAddress(id: RequirementId): string {
  return `${repository}/blob/v${suiteVersion}/docs/requirements/${id}.md`;
}

/** The command that prints the same page. */
export function explainCommand(id: string): string {
  return `npx petstore-conformance explain ${id}`;
}
