/** Section 9.3: `getPet` is deprecated and is to be removed on this day; the first moment of it, in UTC. */
export const removalDate = Date.UTC(2030, 11, 5);
