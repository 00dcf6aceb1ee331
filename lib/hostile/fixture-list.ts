import { bodies } from './targets/bodies.js';
import { connections } from './targets/connections.js';
import type { HostileFixture } from './fixture.js';
import { headers } from './targets/headers.js';
import { json } from './targets/json.js';
import { lifecycle } from './targets/lifecycle.js';
import { timing } from './targets/timing.js';
import { tls } from './targets/tls.js';

/** Every hostile target, by what is hostile about it. */
export const hostileFixtures: readonly HostileFixture[] = [
  ...timing,
  ...bodies,
  ...headers,
  ...connections,
  ...tls,
  ...json,
  ...lifecycle,
];
