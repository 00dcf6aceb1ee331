import { bodies } from './targets/bodies.js';
import { connections } from './targets/connection-faults.js';
import type { HostileFixture } from './fixture.js';
import { framing } from './targets/body-length.js';
import { headers } from './targets/headers.js';
import { json } from './targets/json.js';
import { lifecycle } from './targets/lifecycle.js';
import { redirects } from './targets/redirects.js';
import { statusLines } from './targets/status-lines.js';
import { timing } from './targets/timing.js';
import { tls } from './targets/tls-faults.js';
import { values } from './targets/values.js';

/** Every hostile target, by what is hostile about it. */
export const hostileFixtures: readonly HostileFixture[] = [
  ...timing,
  ...bodies,
  ...framing,
  ...statusLines,
  ...headers,
  ...connections,
  ...tls,
  ...redirects,
  ...json,
  ...values,
  ...lifecycle,
];
