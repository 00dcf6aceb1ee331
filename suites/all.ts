/** Loads every suite: each declares how the requirements of its part of the catalogue are judged. */
import './authentication.suite.js';
import './listing.suite.js';
import './page-limit.suite.js';
import './listing-pets.suite.js';
import './creating.suite.js';
import './stored-values.suite.js';
import './unspecified-bodies.suite.js';
import './getting.suite.js';
import './deprecation.suite.js';
import './resources.suite.js';
import './robustness.suite.js';
import './rate.suite.js';
import './limits.suite.js';
import './description.suite.js';
