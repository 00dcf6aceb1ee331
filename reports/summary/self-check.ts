/** Said of a run without a target, first and last: its verdict is not that of a service of the user's. */
export const selfCheck =
  'This is a self-check of the embedded reference service: no other service is judged.';

/** Whether the run judged the embedded reference service; no other target has its name. */
export function isSelfCheck({ target }: { readonly target: { readonly name: string } }): boolean {
  return target.name === 'reference';
}
