import { bodies } from './bodies.js';
import { connections } from './connections.js';
import type { HostileFixture } from './fixture.js';
import { framing } from './body-length.js';
import { headers } from './headers.js';
import { json } from './json.js';
import { lifecycle } from './lifecycle.js';
import { redirects } from './redirects.js';
import { statusLines } from './status-lines.js';
import { timing } from './timing.js';
import { tls } from './tls.js';
import { values } from './values.js';

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
