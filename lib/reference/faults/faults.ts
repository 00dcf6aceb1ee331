import { credentialFaults } from './authentication/credential-faults.js';
import { unauthorizedFaults } from './authentication/response-faults.js';
import { bodyFaults } from './creating/body-faults.js';
import { idFaults } from './creating/id-faults.js';
import { refusedFaults } from './creating/refused-faults.js';
import { valueFaults } from './creating/value-faults.js';
import type { Fault } from './fault.js';
import { deprecationFaults } from './getting/deprecation-faults.js';
import { gettingFaults } from './getting/getting-faults.js';
import { listingFaults } from './listing/listing-faults.js';
import { pageFaults } from './listing/page-faults.js';
import { rateFaults } from './rate/rate-faults.js';
import { errorFaults } from './resources/error-faults.js';
import { mediaFaults } from './resources/media-faults.js';
import { petFaults } from './resources/pet-faults.js';
import { robustnessFaults } from './resources/robustness-faults.js';

/** Every functional fault, part by part of the catalogue: at most five that are mainly about a requirement. */
export const faults: readonly Fault[] = [
  ...credentialFaults,
  ...unauthorizedFaults,
  ...listingFaults,
  ...pageFaults,
  ...bodyFaults,
  ...valueFaults,
  ...idFaults,
  ...refusedFaults,
  ...gettingFaults,
  ...deprecationFaults,
  ...petFaults,
  ...errorFaults,
  ...mediaFaults,
  ...robustnessFaults,
  ...rateFaults,
];
