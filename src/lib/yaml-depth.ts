/**
 * The deepest nesting of YAML that is parsed. The parser calls itself for every level, and from about a thousand on it
 * may exhaust the stack: Node does not always survive that, since it may be in the middle of compiling a regular
 * expression.
 */
const DEPTH_MAX = 400;

const OPENING: ReadonlySet<string> = new Set(['[', '{']);
const CLOSING: ReadonlySet<string> = new Set([']', '}']);
/** What begins an item, a key or a value of a block, inside of the block before it on the same line. */
const MARKER = /[-?:] +/y;

/**
 * Whether a text may be nested more deeply than is parsed, by its indentation, markers and brackets. The first bracket
 * is where a value can begin; those in scalars count like the rest, so that the answer may be too careful for hundreds
 * of brackets that are never closed.
 */
export function isDeepYaml(text: string): boolean {
  const columns: number[] = [];
  let brackets = 0;
  for (const line of text.split('\n')) {
    let column = line.search(/[^ ]/);
    if (column < 0) continue;
    while (columns.length > 0 && (columns.at(-1) as number) >= column) columns.pop();
    columns.push(column);
    for (MARKER.lastIndex = column; MARKER.test(line); MARKER.lastIndex = column) {
      column = MARKER.lastIndex;
      columns.push(column);
    }
    for (let i = column; i < line.length; i++) {
      const char = line[i] as string;
      if (OPENING.has(char) && (brackets > 0 || i === column || line[i - 1] === ' ')) brackets++;
      else if (CLOSING.has(char)) brackets = Math.max(0, brackets - 1);
      if (brackets > DEPTH_MAX) return true;
    }
    if (columns.length + brackets > DEPTH_MAX) return true;
  }
  return false;
}
