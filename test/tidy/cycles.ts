import { type Problem, problemAt, type SourceFile } from './source-file.ts';

/**
 * Files that import each other in a circle, each circle once. Type-only imports are left out: they are gone at run
 * time, and two types may well speak of each other.
 */
export function checkCycles(files: readonly SourceFile[]): Problem[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const done = new Set<string>();
  const problems: Problem[] = [];

  const visit = (file: SourceFile, trail: readonly string[]) => {
    for (const { target, typeOnly, offset, specifier } of file.imports) {
      const next = target === undefined || typeOnly ? undefined : byPath.get(target);
      if (next === undefined || done.has(next.path)) continue;
      const start = trail.indexOf(next.path);
      if (start < 0) {
        visit(next, [...trail, next.path]);
        continue;
      }
      const circle = [...trail.slice(start), next.path].join(' -> ');
      problems.push(
        problemAt(file, offset, `${specifier} closes the circle ${circle}: move what both need into a file below`),
      );
    }
    done.add(file.path);
  };
  for (const file of files) if (!done.has(file.path)) visit(file, [file.path]);
  return problems;
}
