/** A text cut to at most `longest` UTF-16 units, never inside a code point, and how many were left out. */
export function cutText(text: string, longest: number): { readonly shown: string; readonly leftOut: number } {
  if (text.length <= longest) return { shown: text, leftOut: 0 };
  const last = text.charCodeAt(longest - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? longest - 1 : longest;
  return { shown: text.slice(0, end), leftOut: text.length - end };
}
