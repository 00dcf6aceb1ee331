import { suiteVersion } from '../run/suite-name.js';
import { invocationBeside } from '../options/command-line.js';
import type { RequirementId } from '../specification/catalogue.js';

/** As in `package.json`. */
const repository = 'https://github.com/petstore-conformance/petstore-conformance';

/** Where a requirement is explained, as this version has it. */
export function pageAddress(id: RequirementId): string {
  return `${repository}/blob/v${suiteVersion}/docs/requirements.md#${id.toLowerCase()}`;
}

/** The command that explains it, too. @param commandOfRun how the run was called that judged it */
export function explainCommand(id: string, commandOfRun: string): string {
  return `${invocationBeside(commandOfRun, 'explain')} ${id}`;
}
