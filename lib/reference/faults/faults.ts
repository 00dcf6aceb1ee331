import { equalBodyFaults } from './creating/equal-faults.js';
import { lateFaults } from './creating/late-faults.js';
import { encodingFaults } from './resources/encoding-faults.js';
import { edgeFaults } from './getting/edge-faults.js';
import { creatingBodyFaults } from './creating/body-faults.js';
import { creatingCategoryFaults } from './creating/value-faults.js';
import { creatingNameFaults } from './creating/name-faults.js';
import { creatingStatusFaults } from './creating/status-faults.js';
import { creatingTextFaults } from './creating/text-faults.js';
import { credentialFaults } from './authentication/credential-faults.js';
import { deprecationFaults } from './getting/deprecation-faults.js';
import { errorFaults } from './resources/error-faults.js';
import type { Fault } from './fault.js';
import { gettingFaults } from './getting/animal-faults.js';
import { identifierFaults } from './getting/id-faults.js';
import { commandFaults } from './listing/command-faults.js';
import { historyFaults } from './listing/history-faults.js';
import { loadFaults } from './resources/load-faults.js';
import { listingHabitFaults } from './listing/order-faults.js';
import { listingFaults } from './listing/listing-faults.js';
import { mediaFaults } from './resources/media-faults.js';
import { pageSizeFaults } from './listing/page-faults.js';
import { petFaults } from './resources/pet-faults.js';
import { rateHabitFaults } from './rate/header-faults.js';
import { rateFaults } from './rate/rate-faults.js';
import { robustnessFaults } from './resources/robustness-faults.js';
import { unauthorizedFaults } from './authentication/response-faults.js';

/** Every functional fault, part by part of the catalogue. */
export const faults: readonly Fault[] = [
  ...credentialFaults,
  ...unauthorizedFaults,
  ...listingFaults,
  ...pageSizeFaults,
  ...listingHabitFaults,
  ...historyFaults,
  ...commandFaults,
  ...creatingBodyFaults,
  ...creatingNameFaults,
  ...creatingCategoryFaults,
  ...creatingStatusFaults,
  ...equalBodyFaults,
  ...lateFaults,
  ...creatingTextFaults,
  ...gettingFaults,
  ...identifierFaults,
  ...edgeFaults,
  ...deprecationFaults,
  ...petFaults,
  ...errorFaults,
  ...mediaFaults,
  ...encodingFaults,
  ...robustnessFaults,
  ...loadFaults,
  ...rateFaults,
  ...rateHabitFaults,
];
