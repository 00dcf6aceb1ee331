import type { JSX } from 'preact';
import { requirementRuns } from '../../text/requirement-id.js';

export interface RequirementLinksProperties {
  readonly ids: readonly string[];
  /** Ids that follow each other stand as `AUTH-01 to AUTH-04`: for lists that are long. */
  readonly inRanges?: boolean;
}

/** Ids of requirements, each leading to its place in the annotated specification. */
export function RequirementLinks({ ids, inRanges = false }: RequirementLinksProperties): JSX.Element {
  const parts = inRanges ? requirementRuns(ids) : ids.map((id) => [id]);
  return (
    <>
      {parts.map((run, index) => {
        const [first = '', last] = [run[0], run.length > 1 ? run.at(-1) : undefined];
        return (
          <>
            {index > 0 && ', '}
            <a href={`#${first}`}>{first}</a>
            {last !== undefined && (
              <>
                {' to '}
                <a href={`#${last}`}>{last}</a>
              </>
            )}
          </>
        );
      })}
    </>
  );
}
