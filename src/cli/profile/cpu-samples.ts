import type { Profiler } from 'node:inspector';

/** A function, and its share of the samples. */
export interface FunctionTime {
  readonly name: string;
  readonly place: string;
  readonly selfMillis: number;
  /** The time of the function with all that it calls. */
  readonly totalMillis: number;
}

/** The times of all functions of a CPU profile, the largest own time first. */
export function functionTimes({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): readonly FunctionTime[] {
  const selfMicros = new Map<number, number>();
  for (const [i, id] of samples.entries()) selfMicros.set(id, (selfMicros.get(id) ?? 0) + (timeDeltas[i] ?? 0));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const times = new Map<string, { name: string; place: string; self: number; total: number }>();
  const timesOf = ({ functionName, url, lineNumber }: Profiler.ProfileNode['callFrame']) => {
    const place = url === '' ? '' : `${url.split('/').slice(-2).join('/')}:${lineNumber + 1}`;
    const key = `${functionName} ${place}`;
    const known = times.get(key) ?? { name: functionName || '(anonymous)', place, self: 0, total: 0 };
    times.set(key, known);
    return known;
  };
  // Each step is a visit of a node, or, as its second part, the end of the visit.
  const open = new Set<object>();
  const totals = new Map<number, number>();
  const [root] = nodes;
  const steps: { readonly id: number; readonly own?: object | null }[] = root === undefined ? [] : [{ id: root.id }];
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    const node = byId.get(step.id);
    if (node === undefined) continue;
    const known = timesOf(node.callFrame);
    const children = node.children ?? [];
    if (step.own === undefined) {
      // A function that calls itself counts once.
      const isOutermost = !open.has(known);
      if (isOutermost) open.add(known);
      steps.push({ id: step.id, own: isOutermost ? known : null }, ...children.map((id) => ({ id })));
      continue;
    }
    const own = selfMicros.get(step.id) ?? 0;
    const total = children.reduce((sum, id) => sum + (totals.get(id) ?? 0), own);
    totals.set(step.id, total);
    known.self += own;
    if (step.own === null) continue;
    known.total += total;
    open.delete(known);
  }
  return [...times.values()]
    .map(({ name, place, self, total }) => ({ name, place, selfMillis: self / 1000, totalMillis: total / 1000 }))
    .sort((a, b) => b.selfMillis - a.selfMillis);
}
