import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { RunView } from '../summary/run-view.js';
import type { ShownExchanges } from './evidence/shown-exchanges.js';

/** What every part of a report is made of. */
export interface PageData extends RunView {
  readonly exchanges: ShownExchanges;
}

export const PageContext = createContext<PageData | undefined>(undefined);

/** The data of the report that is being rendered. */
export function usePage(): PageData {
  const data = useContext(PageContext);
  if (!data) throw new Error('a part of a report was rendered outside a page');
  return data;
}
