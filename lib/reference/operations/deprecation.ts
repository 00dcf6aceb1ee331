import type { Header } from '../http-message.js';

/** When getPet is removed (section 4.3). Midnight in UTC: the specification names a day and no zone. Epoch milliseconds. */
export const removalTime = Date.UTC(2030, 11, 5);

/** RFC 9745 section 2.1 (a structured date, in the past as the operation is deprecated) and RFC 8594 section 3. */
export const deprecationHeaders: readonly Header[] = [
  ['Deprecation', '@1690000000'],
  ['Sunset', new Date(removalTime).toUTCString()],
];
