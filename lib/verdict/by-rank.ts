/** Compares by the first number that differs, the smaller first. */
export function byRank<One>(rankOf: (one: One) => readonly number[]): (one: One, other: One) => number {
  return (one, other) => {
    const [left, right] = [rankOf(one), rankOf(other)];
    const place = left.findIndex((value, index) => value !== right[index]);
    return place === -1 ? 0 : (left[place] ?? 0) - (right[place] ?? 0);
  };
}
