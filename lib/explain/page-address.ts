import { suiteVersion } from '../run/suite-name.js';

/** As in `package.json`. */
const repository = 'https://github.com/petstore-conformance/petstore-conformance';

/** Where a requirement is explained, as this version has it. */
export function pageAddress(id: string): string {
  return `${repository}/blob/v${suiteVersion}/docs/requirements.md#${id.toLowerCase()}`;
}
