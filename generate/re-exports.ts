/** A statement that imports names of another file of declarations, and the one that exports all names of a file. */
const IMPORT = /^import \{([^}]*)\} from ("\.[^"]*");\n/gm;
const EXPORT = /^export \{([^}]*)\};/m;
const TYPE = /^type /;

/**
 * Declarations in which each name stands once that a file passes on without using it, and types are exported together:
 * lists of names are a tenth of what is declared.
 */
export function withReExports(declarations: string): string {
  const all = EXPORT.exec(declarations)?.[1];
  if (all === undefined) return declarations;
  const exported = new Map(namesIn(all).map((name) => [name.replace(TYPE, ''), name]));
  const statements: string[] = [];
  const rest = declarations.replace(IMPORT, (_, list: string, file: string) => {
    const isPassedOn = (name: string): boolean => exported.has(name) && timesIn(declarations, name) === 2;
    const [passedOn, used] = parted(namesIn(list), isPassedOn);
    statements.push(
      ...exportsOf(
        passedOn.map((name) => exported.get(name) ?? name),
        ` from ${file}`,
      ),
    );
    for (const name of passedOn) exported.delete(name);
    return used.length === 0 ? '' : `import { ${used.join(', ')} } from ${file};\n`;
  });
  return rest.replace(EXPORT, () => [...statements, ...exportsOf([...exported.values()], '')].join('\n'));
}

function namesIn(list: string): string[] {
  return list.split(',').map((name) => name.trim());
}

function timesIn(text: string, name: string): number {
  return text.match(new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`, 'g'))?.length ?? 0;
}

function exportsOf(names: readonly string[], from: string): string[] {
  const [types, values] = parted(names, (name) => TYPE.test(name));
  const statements = [
    ['type ', types.map((name) => name.replace(TYPE, ''))],
    ['', values],
  ] as const;
  return statements.flatMap(([kind, list]) =>
    list.length === 0 ? [] : `export ${kind}{ ${list.join(', ')} }${from};`,
  );
}

function parted<T>(list: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [list.filter(isFirst), list.filter((item) => !isFirst(item))];
}
