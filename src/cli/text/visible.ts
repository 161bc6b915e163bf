/** Control characters, also those that only change the direction of text or take no room. */
const INVISIBLE = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;

/** The text with control characters escaped, so that it cannot move the cursor or hide other text. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, (char) => `\\u${(char.codePointAt(0) as number).toString(16).padStart(4, '0')}`);
}

/** The text in at most so many columns; what was cut off is marked. */
export function cutTo(text: string, columns: number): string {
  const chars = [...text];
  return chars.length <= columns ? text : `${chars.slice(0, Math.max(columns - 1, 0)).join('')}…`;
}
