import { creatingBodyFaults } from './creating-bodies.js';
import { creatingCategoryFaults } from './creating-categories.js';
import { creatingNameFaults } from './creating-names.js';
import { creatingStatusFaults } from './creating-statuses.js';
import { credentialFaults } from './credentials.js';
import { deprecationFaults } from './deprecation.js';
import { errorFaults } from './errors.js';
import type { Fault } from './fault.js';
import { gettingFaults } from './getting.js';
import { identifierFaults } from './identifiers.js';
import { listingHabitFaults } from './listing-habits.js';
import { listingFaults } from './listing.js';
import { mediaFaults } from './media.js';
import { pageSizeFaults } from './page-sizes.js';
import { petFaults } from './pets.js';
import { rateHabitFaults } from './rate-habits.js';
import { rateFaults } from './rate.js';
import { robustnessFaults } from './robustness.js';
import { unauthorizedFaults } from './unauthorized.js';

/** Every functional fault, by the part of the catalogue that it is about. */
export const faultsByPart = {
  authentication: [...credentialFaults, ...unauthorizedFaults],
  listing: [...listingFaults, ...pageSizeFaults, ...listingHabitFaults],
  creating: [
    ...creatingBodyFaults,
    ...creatingNameFaults,
    ...creatingCategoryFaults,
    ...creatingStatusFaults,
  ],
  getting: [...gettingFaults, ...identifierFaults, ...deprecationFaults],
  resources: [...petFaults, ...errorFaults, ...mediaFaults, ...robustnessFaults],
  rate: [...rateFaults, ...rateHabitFaults],
} as const satisfies Record<string, readonly Fault[]>;

export const faults: readonly Fault[] = Object.values(faultsByPart).flat();
