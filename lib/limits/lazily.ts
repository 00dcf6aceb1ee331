/** Computes at the first call, and gives the same from then on. */
export function lazily<Value>(compute: () => Value): () => Value {
  let known: { readonly value: Value } | undefined;
  return () => (known ??= { value: compute() }).value;
}
