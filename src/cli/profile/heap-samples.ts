import type { HeapProfiler } from 'node:inspector';

/** A function, and what it allocated that was still there when the samples were taken. */
export interface FunctionBytes {
  readonly name: string;
  readonly place: string;
  readonly bytes: number;
}

/** What each function allocated itself, most first. */
export function functionBytes({ head }: HeapProfiler.SamplingHeapProfile): readonly FunctionBytes[] {
  const byPlace = new Map<string, { name: string; place: string; bytes: number }>();
  const open = [head];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    open.push(...node.children);
    const { functionName, url, lineNumber } = node.callFrame;
    const place = url === '' ? '' : `${url.split('/').slice(-2).join('/')}:${lineNumber + 1}`;
    const key = `${functionName} ${place}`;
    const known = byPlace.get(key) ?? { name: functionName || '(anonymous)', place, bytes: 0 };
    known.bytes += node.selfSize;
    byPlace.set(key, known);
  }
  return [...byPlace.values()].filter(({ bytes }) => bytes > 0).sort((a, b) => b.bytes - a.bytes);
}
