/** A mistake in an expression, at an offset in code points. */
export interface Issue {
  readonly at: number;
  readonly message: string;
}

/**
 * Writes mistakes as cel-go does, in the order of their places: position, message, the line, and a pointer to the
 * column. Wide characters take two columns.
 */
export function formatIssues(text: string, issues: readonly Issue[]): string {
  // An empty source has no line that could be shown, and no first column.
  if (text === '') return issues.map(({ message }) => `ERROR: <input>:1:0: ${message}`).join('\n');
  const lines = text.split('\n').map((line) => [...line]);
  return [...issues]
    .sort((a, b) => a.at - b.at)
    .map(({ at, message }) => {
      let [number, column] = [0, at];
      while (number < lines.length - 1 && column > (lines[number] ?? []).length) {
        column -= (lines[number] ?? []).length + 1;
        number++;
      }
      const line = lines[number] ?? [];
      const pointer = line.slice(0, column).map((char) => (isWide(char) ? '．' : '.'));
      const mark = isWide(line[column] ?? '') ? '＾' : '^';
      const heading = `ERROR: <input>:${number + 1}:${column + 1}: ${message}`;
      return `${heading}\n | ${line.join('').replaceAll('\t', ' ')}\n | ${pointer.join('')}${mark}`;
    })
    .join('\n');
}

/** Whether cel-go points at the character with a full-width mark: its UTF-8 form is longer than one byte. */
function isWide(char: string): boolean {
  return (char.codePointAt(0) ?? 0) > 0x7f;
}
