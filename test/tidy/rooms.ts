import { roomOf } from './ladder.ts';
import type { Problem, SourceFile } from './source-file.ts';

/** A room that holds more of the code than this has become a drawer. */
const MOST_PERCENT = 12;
/** The room of the decision stays readable as a whole. */
const MOST_LINES: Readonly<Record<string, number>> = { 'src/core': 4000 };

/** Rooms of src that have grown too large. */
export function checkRoomSizes(files: readonly SourceFile[]): Problem[] {
  const lines = new Map<string, number>();
  let total = 0;
  for (const { path, text } of files) {
    if (!path.startsWith('src/')) continue;
    const count = text.split('\n').length - 1;
    lines.set(roomOf(path), (lines.get(roomOf(path)) ?? 0) + count);
    total += count;
  }
  return [...lines].flatMap(([path, count]) => {
    const percent = (count * 100) / total;
    const most = MOST_LINES[path] ?? Number.POSITIVE_INFINITY;
    if (count > most) return [{ path, line: 0, message: `${count} lines, at most ${most}: split the room by idea` }];
    if (percent <= MOST_PERCENT) return [];
    const share = `${percent.toFixed(1)} % of src, at most ${MOST_PERCENT} %`;
    return [{ path, line: 0, message: `${share}: split the room by idea` }];
  });
}
