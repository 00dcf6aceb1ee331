import { creatingBodyFaults } from './creating-bodies.js';
import { creatingCategoryFaults } from './creating-categories.js';
import { creatingNameFaults } from './creating-names.js';
import { creatingStatusFaults } from './creating-statuses.js';
import { credentialFaults } from './credentials.js';
import { deprecationFaults } from './deprecation.js';
import { errorFaults } from './errors.js';
import type { Fault } from './fault.js';
import { gettingFaults } from './getting.js';
import { listingFaults } from './listing.js';
import { mediaFaults } from './media.js';
import { pageSizeFaults } from './page-sizes.js';
import { petFaults } from './pets.js';
import { rateFaults } from './rate.js';
import { robustnessFaults } from './robustness.js';
import { unauthorizedFaults } from './unauthorized.js';

/** Every functional fault, a file a section of the catalogue. */
export const faults: readonly Fault[] = [
  ...credentialFaults,
  ...unauthorizedFaults,
  ...listingFaults,
  ...pageSizeFaults,
  ...creatingBodyFaults,
  ...creatingNameFaults,
  ...creatingCategoryFaults,
  ...creatingStatusFaults,
  ...gettingFaults,
  ...deprecationFaults,
  ...petFaults,
  ...errorFaults,
  ...mediaFaults,
  ...robustnessFaults,
  ...rateFaults,
];
