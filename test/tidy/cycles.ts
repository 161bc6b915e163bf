import { type Problem, problemAt, type SourceFile } from './source-file.ts';

interface Edge {
  readonly to: string;
  readonly problem: (circle: string) => Problem;
}

type Graph = ReadonlyMap<string, readonly Edge[]>;

const OUTSIDE = /^(test|bench|examples)\//;

/**
 * Files that import each other in a circle. Types count like values, but for a pair of files that know each other by
 * type alone: two types may well speak of each other.
 */
export function checkCycles(files: readonly SourceFile[]): Problem[] {
  const known = new Set(files.map(({ path }) => path));
  const isPairOfTypes = pairsOfTypes(files);
  const graph = new Map(
    files.map((file) => {
      const edges = file.imports.flatMap(({ target, typeOnly, offset, specifier }) => {
        if (target === undefined || !known.has(target) || isPairOfTypes(file.path, target)) return [];
        // Tests may describe themselves in types that speak of each other.
        if (typeOnly && OUTSIDE.test(file.path)) return [];
        const message = (circle: string) =>
          `${specifier} closes the circle ${circle}: move what both need into a file below`;
        const problem = (circle: string) => problemAt(file, offset, message(circle));
        return [{ to: target, problem }];
      });
      return [file.path, edges] as const;
    }),
  );
  return circles(graph);
}

/** Folders of src that import each other in a circle: a folder is the files that lie in it, not those below it. */
export function checkFolderCycles(files: readonly SourceFile[]): Problem[] {
  const graph = new Map<string, Edge[]>();
  for (const file of files) {
    if (!file.path.startsWith('src/')) continue;
    const folder = folderOf(file.path);
    const edges = graph.get(folder) ?? [];
    graph.set(folder, edges);
    for (const { target, offset, specifier } of file.imports) {
      if (target === undefined || folderOf(target) === folder) continue;
      const message = (circle: string) => `${specifier} closes the circle of folders ${circle}: move one of the files`;
      edges.push({ to: folderOf(target), problem: (circle) => problemAt(file, offset, message(circle)) });
    }
  }
  return circles(graph);
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

function pairsOfTypes(files: readonly SourceFile[]): (a: string, b: string) => boolean {
  const typeOnly = new Map<string, boolean>();
  for (const { path, imports } of files) {
    for (const { target, typeOnly: isType } of imports) {
      const key = `${path} ${target}`;
      typeOnly.set(key, isType && typeOnly.get(key) !== false);
    }
  }
  return (a, b) => typeOnly.get(`${a} ${b}`) === true && typeOnly.get(`${b} ${a}`) === true;
}

/** Lists each circle once, where it was closed first. */
function circles(graph: Graph): Problem[] {
  const done = new Set<string>();
  const problems: Problem[] = [];
  const visit = (name: string, trail: readonly string[]) => {
    for (const { to, problem } of graph.get(name) ?? []) {
      if (done.has(to)) continue;
      const start = trail.indexOf(to);
      if (start < 0) visit(to, [...trail, to]);
      else problems.push(problem([...trail.slice(start), to].join(' -> ')));
    }
    done.add(name);
  };
  for (const name of graph.keys()) if (!done.has(name)) visit(name, [name]);
  return problems;
}
