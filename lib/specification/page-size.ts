/** Animals on a page if no limit is given, and the most that a page can hold (section 4.1). */
export const defaultPage = 20;
export const fullPage = 100;
