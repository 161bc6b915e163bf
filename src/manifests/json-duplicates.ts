import { member } from '../api/validation/check.ts';

/** A key that an object has twice. */
export interface DuplicateKey {
  readonly path: string;
  /** The offset of the second one, in UTF-16 units. */
  readonly offset: number;
}

interface Open {
  /** The keys of an object so far; null: a list. */
  readonly keys: Set<string> | null;
  readonly path: string;
  index: number;
  key: string | null;
}

const TOKEN = /"|[{}[\],:]/g;

/**
 * The first duplicate key of a valid JSON text, or null. It runs only when the text is known to have one, so it need
 * not be fast.
 */
export function findDuplicateKey(text: string): DuplicateKey | null {
  const open: Open[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const current = open.at(-1);
    const token = match[0];
    if (token === '"') {
      const start = match.index;
      const end = stringEnd(text, start);
      TOKEN.lastIndex = end;
      if (current?.keys == null || current.key !== null) continue;
      const key = JSON.parse(text.slice(start, end)) as string;
      if (current.keys.has(key)) return { path: member(current.path, key), offset: start };
      current.keys.add(key);
      current.key = key;
    } else if (token === '{' || token === '[') {
      const path = current === undefined ? '' : pathInside(current);
      open.push({ keys: token === '{' ? new Set() : null, path, index: 0, key: null });
    } else if (token === '}' || token === ']') open.pop();
    else if (token === ',' && current !== undefined) {
      current.key = null;
      current.index++;
    }
  }
  return null;
}

function pathInside({ keys, path, index, key }: Open): string {
  return keys === null ? `${path}[${index}]` : member(path, key ?? '');
}

function stringEnd(text: string, start: number): number {
  let end = start + 1;
  while (text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return end + 1;
}
