import type { JSX } from 'preact';

/** Ids of requirements, each leading to its place in the annotated specification. */
export function RequirementLinks({ ids }: { readonly ids: readonly string[] }): JSX.Element {
  return (
    <>
      {ids.map((id, index) => (
        <>
          {index > 0 && ', '}
          <a href={`#${id}`}>{id}</a>
        </>
      ))}
    </>
  );
}
